import { describe, expect, test } from 'vitest';
import { failureOfErrorChunk, failureOfResponse } from './vendor-errors.ts';

const answered = (status: number, error: object, headers: Record<string, string> = {}) =>
  failureOfResponse(status, (name) => headers[name], JSON.stringify({ error }));

describe('what an error of a vendor means', () => {
  test.each([
    [400, 'refused'],
    [401, 'unauthorized'],
    [402, 'unpaid'],
    [403, 'unauthorized'],
    [404, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
    [429, 'limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [302, 'refused'],
  ])('%i is %s, whatever its code says', (status, kind) => {
    const deepseek = {
      message: 'Insufficient Balance',
      type: 'unknown_error',
      param: null,
      code: 'invalid_request_error',
    };
    expect(answered(status, deepseek)).toMatchObject({ kind, status });
  });

  test('DashScope tells limits apart by message: requests, tokens, bursts, each with its own wait', () => {
    const wait = (message: string, code = 'limit_requests') => answered(429, { code, message });
    expect(wait('You exceeded your current requests list.')).toMatchObject({ kind: 'limited', retryAfterMs: 2000 });
    expect(wait('You exceeded your current quota, please check.', 'insufficient_quota')).toMatchObject({
      kind: 'limited',
      retryAfterMs: 10_000,
    });
    expect(wait('Allocated quota exceeded, please increase your quota limit.')).toMatchObject({ retryAfterMs: 10_000 });
    expect(wait('Request rate increased too quickly.')).toMatchObject({ retryAfterMs: 1000 });
  });

  test('an empty purse is no limit that passes', () => {
    expect(answered(400, { code: 'Arrearage', message: 'Access denied' })).toMatchObject({ kind: 'unpaid' });
    const openai = 'You exceeded your current quota, please check your plan and billing details.';
    expect(answered(429, { code: 'insufficient_quota', message: openai })).toMatchObject({ kind: 'unpaid' });
    expect(answered(400, { code: 'data_inspection_failed', message: 'no' })).toMatchObject({ kind: 'refused' });
  });

  test('Retry-After is seconds, a date, or milliseconds', () => {
    expect(answered(429, {}, { 'retry-after': '2' }).retryAfterMs).toBe(2000);
    expect(answered(429, {}, { 'retry-after-ms': '150' }).retryAfterMs).toBe(150);
    const soon = new Date(Date.now() + 5000).toUTCString();
    expect(answered(429, {}, { 'retry-after': soon }).retryAfterMs).toBeGreaterThan(3000);
    expect(answered(429, {}, { 'retry-after': 'soon' }).retryAfterMs).toBeUndefined();
  });

  test('a body that is no JSON is quoted, cut short', () => {
    const page = failureOfResponse(502, () => undefined, `<html>${'x'.repeat(5000)}`);
    expect(page).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/^502 <html>x+$/) });
    expect(page.message.length).toBeLessThan(300);
  });

  test("an error chunk is the vendor's fault unless it says otherwise", () => {
    expect(failureOfErrorChunk({ message: 'x', type: 'unknown_error', code: 'invalid_request_error' }).kind).toBe(
      'unavailable',
    );
    expect(failureOfErrorChunk({ message: 'x', code: 'rate_limit_exceeded' }).kind).toBe('limited');
    expect(failureOfErrorChunk({ message: 'x', code: 'data_inspection_failed' }).kind).toBe('refused');
    expect(failureOfErrorChunk({ message: 'x', code: 402 }).kind).toBe('unpaid');
    expect(failureOfErrorChunk('out of memory').kind).toBe('unavailable');
  });
});

import { expect, test } from 'vitest';
import { Config } from '../config/index.ts';
import { createAccessPolicy, type RequestSource } from './access.ts';

const dev = createAccessPolicy(
  Config.parse({ server: { origins: ['https://app.example/'], hosts: ['kith.internal'] } }),
);
const jwt = createAccessPolicy(
  Config.parse({ auth: { mode: 'jwt', jwt: { secret: 'a secret of at least thirty-two bytes' } } }),
);
const verdict = (policy: typeof dev, source: Partial<RequestSource>) => {
  try {
    policy.check({ host: 'localhost:7070', origin: undefined, ...source });
    return 'allowed';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

test.each([
  'localhost:7070',
  'LOCALHOST',
  'app.localhost:7070',
  '127.0.0.1:7070',
  '127.8.9.10',
  '[::1]:7070',
  'kith.internal:7070',
])('in dev auth the server answers as %s', (host) => {
  expect(verdict(dev, { host })).toBe('allowed');
});

test.each([
  'evil.example:7070',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '192.168.1.5:7070',
  '0.0.0.0:7070',
  '127evil.example',
  'a b',
  '',
  undefined,
])('in dev auth a name that was made to point here is refused: %s', (host) => {
  expect(verdict(dev, { host })).toBe('HOST_NOT_ALLOWED');
});

test('with tokens the host may be any: a proxy decides that', () => {
  expect(verdict(jwt, { host: 'kith.example' })).toBe('allowed');
});

test.each([
  ['http://localhost:7070', 'localhost:7070'],
  ['http://127.0.0.1:7070', '127.0.0.1:7070'],
  ['http://[::1]:7070', '[::1]:7070'],
  ['https://localhost', 'localhost'],
  ['https://app.example', 'localhost:7070'],
])('a page of the server itself, or of a configured origin, may talk to it: %s', (origin, host) => {
  expect(verdict(dev, { origin, host })).toBe('allowed');
});

test.each([
  'https://evil.example',
  'http://localhost:3000',
  'http://localhost',
  'https://app.example.evil.example',
  'https://app.example:8443',
  'http://app.example',
  'null',
  'file://',
  '',
])('a page of another origin may not: %s', (origin) => {
  expect(verdict(dev, { origin })).toBe('ORIGIN_NOT_ALLOWED');
  expect(verdict(jwt, { origin })).toBe('ORIGIN_NOT_ALLOWED');
});

test('a request that a page of another site makes without saying so is refused; following a link is not', () => {
  expect(verdict(dev, { fetchSite: 'cross-site', fetchMode: 'no-cors' })).toBe('ORIGIN_NOT_ALLOWED');
  expect(verdict(dev, { fetchSite: 'cross-site', fetchMode: 'navigate' })).toBe('allowed');
  expect(verdict(dev, { fetchSite: 'same-origin', fetchMode: 'cors' })).toBe('allowed');
});

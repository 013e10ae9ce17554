import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Dataset, samplesOf } from './memory-retrieval.ts';

const text = readFileSync(new URL('./data/memory-small.json', import.meta.url), 'utf8');
const samples = samplesOf(Dataset.parse(JSON.parse(text)));

test('the shipped file asks enough in both languages, and every piece of evidence is in its conversation', () => {
  const questions = samples.flatMap((sample) => sample.questions);
  const chinese = questions.filter((question) => /\p{Script=Han}/u.test(question.text)).length;
  expect(questions.length).toBeGreaterThanOrEqual(60);
  expect(chinese).toBeGreaterThanOrEqual(20);
  expect(questions.length - chinese).toBeGreaterThanOrEqual(20);
  const named = Dataset.parse(JSON.parse(text)).flatMap(({ qa }) => qa.flatMap(({ evidence }) => evidence));
  expect(questions.flatMap(({ evidence }) => evidence)).toHaveLength(named.length);
});

test('a turn knows the one before it, and the first of a session knows none', () => {
  const [first, second] = samples[0]?.turns ?? [];
  expect(first?.previous).toBe('');
  expect(second?.previous).toBe(first?.text);
});

test('questions without an answer in the conversation are left out', () => {
  const conversation = { session_1: [{ speaker: 'A', dia_id: 'D1:1', text: 'hi' }] };
  const qa = [
    { question: 'adversarial', evidence: ['D1:1'], category: 5 },
    { question: 'without evidence', evidence: [], category: 1 },
    { question: 'elsewhere', evidence: ['D9:9'], category: 1 },
    { question: 'good', evidence: ['D1:1', 'D9:9'], category: 1 },
  ];
  expect(samplesOf([{ conversation, qa }])[0]?.questions).toEqual([{ text: 'good', evidence: ['D1:1'] }]);
});

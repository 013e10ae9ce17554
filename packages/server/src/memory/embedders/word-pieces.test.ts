import { expect, test } from 'vitest';
import { wordPieces } from './word-pieces.ts';

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'play', '##ing', '##ed', 'cafe', '我', '爱', '茶', ',', '!', 'tea'];
const vocabulary = { numbers: new Map(words.map((word, number) => [word, number])), stripAccents: true };
const pieces = (text: string, limit = 20) => wordPieces(text, vocabulary, limit).map((number) => words[number]);

test('words fall into their longest known pieces, between a beginning and an end', () => {
  expect(pieces('Playing, played!')).toEqual(['[CLS]', 'play', '##ing', ',', 'play', '##ed', '!', '[SEP]']);
});

test('each Chinese character stands for itself, spaces or not', () => {
  expect(pieces('我爱tea茶')).toEqual(['[CLS]', '我', '爱', 'tea', '茶', '[SEP]']);
});

test('a word with an unknown rest is unknown as a whole', () => {
  expect(pieces('playful tea')).toEqual(['[CLS]', '[UNK]', 'tea', '[SEP]']);
  expect(pieces('x'.repeat(200))).toEqual(['[CLS]', '[UNK]', '[SEP]']);
});

test('accents are dropped only for models that know none', () => {
  expect(pieces('Café')).toEqual(['[CLS]', 'cafe', '[SEP]']);
  expect(wordPieces('Café', { ...vocabulary, stripAccents: false }, 20)).toEqual([2, 1, 3]);
});

test('a long text is cut to what the model reads', () => {
  expect(pieces('tea '.repeat(100), 6)).toEqual(['[CLS]', 'tea', 'tea', 'tea', 'tea', '[SEP]']);
  expect(pieces('playing playing', 4)).toEqual(['[CLS]', 'play', '##ing', '[SEP]']);
});

import { expect, it } from 'vitest';

import { StreamLines } from './stream-lines.ts';

it('gives lines that are whole, wherever they were cut', () => {
  const lines = new StreamLines();

  expect(lines.take('{"a":')).toEqual([]);
  expect(lines.take('1}\n{"b":2}\n{"c"')).toEqual(['{"a":1}', '{"b":2}']);
  expect(lines.take(':3}\n\n')).toEqual(['{"c":3}']);
});

it('puts letters together that were cut in the middle', () => {
  const lines = new StreamLines();
  const bytes = new TextEncoder().encode('größe\n');

  expect(lines.take(bytes.slice(0, 3).buffer)).toEqual([]);
  expect(lines.take(bytes.slice(3).buffer)).toEqual(['größe']);
});

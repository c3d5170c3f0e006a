import { expect, it } from 'vitest';
import { formatTable } from './format-table.ts';

it('lines up columns, names to the left and numbers to the right', () => {
  const text = formatTable({
    title: 'Speed',
    columns: ['measure', 'ours'],
    rows: [
      ['open', '12.0 ms'],
      ['statistics', '143 µs'],
    ],
  });

  expect(text.split('\n')).toEqual([
    'Speed',
    'measure        ours',
    '──────────  ───────',
    'open        12.0 ms',
    'statistics   143 µs',
  ]);
});

it('prints a table without rows as its head', () => {
  expect(formatTable({ title: 'Empty', columns: ['a'], rows: [] })).toBe('Empty\na\n─');
});

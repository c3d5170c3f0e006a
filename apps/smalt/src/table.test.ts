import { expect, it } from 'vitest';

import { table } from './table.ts';

it('pads every column to its widest cell and leaves no trailing blanks', () => {
  const text = table([
    ['host', 'hv1'],
    ['processors', '2', 'x86_64'],
    ['memory', '24 GiB', ''],
  ]);

  expect(text).toBe('host        hv1\nprocessors  2       x86_64\nmemory      24 GiB');
});

it('prints nothing for no rows', () => {
  expect(table([])).toBe('');
});

import { expect, it } from 'vitest';

import { nearestName } from './nearest-name.ts';

it.each([
  { name: 'prot', known: ['host', 'port'], nearest: 'port' },
  { name: 'Listen', known: ['listen', 'port'], nearest: 'listen' },
  { name: 'xyz', known: ['host', 'port'], nearest: undefined },
  { name: 'x', known: [], nearest: undefined },
])('finds $nearest for $name', ({ name, known, nearest }) => {
  expect(nearestName(name, known)).toBe(nearest);
});

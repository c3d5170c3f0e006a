import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { parseProcessors, printProcessors } from './processors.ts';

it.each([
  { text: '0-2,7\n', processors: [0, 1, 2, 7] },
  { text: '3', processors: [3] },
  { text: '\n', processors: [] },
])('reads $text', ({ text, processors }) => {
  expect(parseProcessors(text)).toEqual(processors);
});

it('reads what it prints, in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(300)), (processors) => {
      expect(parseProcessors(printProcessors(processors))).toEqual(processors.toSorted((left, right) => left - right));
    }),
  );
});

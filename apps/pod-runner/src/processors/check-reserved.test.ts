import { expect, it } from 'vitest';

import { checkReserved } from './check-reserved.ts';

const processors = [0, 1].map((id) => ({ id, core: id, cell: 0 }));

it.each([
  { reserved: [], canConfine: false },
  { reserved: [0], canConfine: true },
])('lets $reserved be reserved where that can be done: $canConfine', ({ reserved, canConfine }) => {
  expect(() => checkReserved(reserved, { processors, canConfine })).not.toThrow();
});

it.each([
  { reserved: [0, 7], canConfine: true, refusal: 'reservedProcessors: there is no processor 7 here; there are 0, 1' },
  { reserved: [0], canConfine: false, refusal: 'reservedProcessors: this machine has no cgroup controller cpuset' },
])('refuses $reserved: $refusal', ({ reserved, canConfine, refusal }) => {
  expect(() => checkReserved(reserved, { processors, canConfine })).toThrow(refusal);
});

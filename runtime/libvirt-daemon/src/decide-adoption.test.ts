import { expect, it } from 'vitest';

import { decideAdoption } from './decide-adoption.ts';

const record = { pid: 7, startTicks: '1', bootId: 'this', uri: 'qemu:///system' };

it.each([
  { name: 'nothing is known', record: undefined, runs: false, step: { kind: 'start', keepsRun: false } },
  { name: 'it runs', record, runs: true, step: { kind: 'adopt', record } },
  { name: 'it died in this boot', record, runs: false, step: { kind: 'start', keepsRun: true } },
  {
    name: 'it is of another boot',
    record: { ...record, bootId: 'other' },
    runs: false,
    step: { kind: 'start', keepsRun: false },
  },
])('decides $step.kind when $name', ({ record: known, runs, step }) => {
  expect(decideAdoption(known, runs, 'this')).toEqual(step);
});

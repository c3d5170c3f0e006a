import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { ObjectPatch } from './decision.ts';

const PATH = '/spec/terminationGracePeriodSeconds';

/** The patch that changes how long a guest may take to shut down. It fails when that was changed in between. */
export function gracePeriodPatch(from: number | undefined, to: number): ObjectPatch {
  return {
    target: 'instance',
    operations: [
      { op: 'test', path: PATH, value: from ?? null },
      { op: from === undefined ? 'add' : 'replace', path: PATH, value: to },
    ],
  };
}

/** The patch that takes such a change back. */
export function undoGracePeriod({ spec }: VirtualMachineInstance, to: number): ObjectPatch {
  const from = spec.terminationGracePeriodSeconds;
  const test = { op: 'test', path: PATH, value: to } as const;
  const back =
    from === undefined ? ({ op: 'remove', path: PATH } as const) : { op: 'replace' as const, path: PATH, value: from };
  return { target: 'instance', operations: [test, back] };
}

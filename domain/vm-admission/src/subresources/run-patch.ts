import { RunStrategy, type VirtualMachine } from '@smalt/vm-api';

import type { ObjectPatch } from './decision.ts';

/** The patch that has a virtual machine run or not, in whichever of the two fields it uses. It fails when that has changed. */
export function runPatch({ spec }: VirtualMachine, isRunning: boolean): ObjectPatch {
  if (spec.runStrategy !== undefined) {
    const path = '/spec/runStrategy';
    const value = isRunning ? RunStrategy.always : RunStrategy.halted;
    return {
      target: 'machine',
      operations: [
        { op: 'test', path, value: spec.runStrategy },
        { op: 'replace', path, value },
      ],
    };
  }
  const path = '/spec/running';
  return {
    target: 'machine',
    operations: [
      { op: 'test', path, value: spec.running ?? null },
      { op: 'replace', path, value: isRunning },
    ],
  };
}

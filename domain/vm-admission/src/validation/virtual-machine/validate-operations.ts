import { goQuote } from '@smalt/resource';
import type { VirtualMachine } from '@smalt/vm-api';

import { notSupported, type Cause } from '../../cause.ts';
import { isSameValue } from '../../is-same-value.ts';
import { runStrategyOf } from './run-strategy-of.ts';

/** While a snapshot is taken or brought back, nothing changes that it would miss. */
export function validateOperations(machine: VirtualMachine, old: VirtualMachine): readonly Cause[] {
  const { snapshotInProgress: snapshot, restoreInProgress: restore } = machine.status ?? {};
  const isStrategyNew = runStrategyOf(machine) !== runStrategyOf(old);
  const advice = 'Try again when it has.';
  const causes: Cause[] = [];
  if (snapshot !== undefined && !isSameValue(volumesOf(machine), volumesOf(old))) {
    const message = `Cannot update vm disks or volumes until snapshot ${goQuote(snapshot)} completes`;
    causes.push(notSupported('spec', message, advice));
  }
  if (snapshot !== undefined && isStrategyNew) {
    const message = `Cannot update vm running state until snapshot ${goQuote(snapshot)} completes`;
    causes.push(notSupported('spec', message, advice));
  }
  if (restore !== undefined && isStrategyNew) {
    const message = `Cannot update VM runStrategy until restore ${goQuote(restore)} completes`;
    causes.push(notSupported('spec', message, advice));
  }
  return causes;
}

function volumesOf({ spec }: VirtualMachine): unknown {
  return spec.template?.spec?.volumes;
}

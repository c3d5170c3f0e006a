import { isFinalPhase, RunStrategy, type VirtualMachine, type VirtualMachineInstance } from '@smalt/vm-api';

import { runStrategyOf } from '../validation/virtual-machine/run-strategy-of.ts';
import { stopRequest } from './decide-start.ts';
import { NOT_RUNNING, type ObjectPatch, type Refusal, type SubresourceDecision } from './decision.ts';
import { gracePeriodPatch, undoGracePeriod } from './grace-period-patch.ts';
import { badRequest, conflict } from './refusal.ts';
import { runPatch } from './run-patch.ts';
import { stateChangePatch } from './state-change-patch.ts';

/** The body of a stop request. */
export interface StopOptions {
  /** How many seconds the guest has to shut down. */
  readonly gracePeriod?: number;
  readonly dryRun?: readonly string[];
}

/** What a request to stop a virtual machine leads to. `instance` is its instance, if it has one. */
export function decideStop(
  machine: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  options: StopOptions = {},
): SubresourceDecision {
  const { gracePeriod } = options;
  if (gracePeriod !== undefined && gracePeriod < 0) {
    return badRequest('gracePeriod has to be greater or equal to 0');
  }
  const alive = instance === undefined || isFinalPhase(instance.status?.phase) ? undefined : instance;
  const patch = stopPatch(machine, alive, options);
  if ('kind' in patch) return patch;
  if (alive === undefined || gracePeriod === undefined) return { kind: 'patch', patches: [patch] };
  const before = alive.spec.terminationGracePeriodSeconds;
  return {
    kind: 'patch',
    patches: [gracePeriodPatch(before, gracePeriod), patch],
    undo: undoGracePeriod(alive, gracePeriod),
  };
}

function stopPatch(
  machine: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  options: StopOptions,
): ObjectPatch | Refusal {
  const strategy = runStrategyOf(machine);
  if (strategy === RunStrategy.always || strategy === RunStrategy.once) return runPatch(machine, false);
  if (instance === undefined) return conflict(machine, NOT_RUNNING.machine);
  if (strategy === RunStrategy.halted && !isShorter(instance, options)) {
    const message = `${strategy} only supports manual stop requests with a shorter graceperiod`;
    return conflict(machine, message);
  }
  return stateChangePatch(machine, [stopRequest(instance)]);
}

// It is being stopped already; the only thing left to ask for is to be quicker about it.
function isShorter({ spec }: VirtualMachineInstance, { gracePeriod }: StopOptions): boolean {
  const before = spec.terminationGracePeriodSeconds;
  return gracePeriod !== undefined && (before === undefined || gracePeriod < before);
}

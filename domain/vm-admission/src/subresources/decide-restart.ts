import {
  RunStrategy,
  VirtualMachineInstanceConditionType,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import { runStrategyOf } from '../validation/virtual-machine/run-strategy-of.ts';
import { MANUAL_RECOVERY, patchOrRefuse, stopRequest } from './decide-start.ts';
import type { SubresourceDecision } from './decision.ts';
import { gracePeriodPatch, undoGracePeriod } from './grace-period-patch.ts';
import { badRequest, conflict } from './refusal.ts';
import { stateChangePatch } from './state-change-patch.ts';

/** The body of a restart request. */
export interface RestartOptions {
  /** 0 has the guest stopped at once. */
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: readonly string[];
}

/** The shortest time in which a guest can be stopped safely. */
const FORCED_GRACE_SECONDS = 1;

/** What a request to restart a virtual machine leads to. `instance` is its instance, if it has one. */
export function decideRestart(
  machine: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  { gracePeriodSeconds }: RestartOptions = {},
): SubresourceDecision {
  if (gracePeriodSeconds !== undefined && gracePeriodSeconds > 0) {
    return badRequest('For force restart, only gracePeriod=0 is supported for now');
  }
  if (gracePeriodSeconds !== undefined && gracePeriodSeconds < 0) {
    return badRequest('gracePeriod has to be greater or equal to 0');
  }
  if (isMovingVolumes(machine)) return conflict(machine, MANUAL_RECOVERY);
  const strategy = runStrategyOf(machine);
  if (strategy === RunStrategy.halted || strategy === RunStrategy.once) {
    return conflict(machine, `RunStategy ${strategy} does not support manual restart requests`);
  }
  if (instance === undefined) return conflict(machine, `VM is not running: ${RunStrategy.halted}`);
  const patch = stateChangePatch(machine, [stopRequest(instance), { action: 'Start' }]);
  if ('kind' in patch || gracePeriodSeconds === undefined) return patchOrRefuse(patch);
  const before = instance.spec.terminationGracePeriodSeconds;
  return {
    kind: 'patch',
    patches: [gracePeriodPatch(before, FORCED_GRACE_SECONDS), patch],
    undo: undoGracePeriod(instance, FORCED_GRACE_SECONDS),
  };
}

function isMovingVolumes({ status }: VirtualMachine): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === VirtualMachineInstanceConditionType.volumesChange && condition.status === 'True',
  );
}

import {
  isFinalPhase,
  RunStrategy,
  VirtualMachineConditionType,
  VirtualMachineInstancePhase,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineStateChangeRequest,
} from '@smalt/vm-api';

import { runStrategyOf } from '../validation/virtual-machine/run-strategy-of.ts';
import type { ObjectPatch, Refusal, SubresourceDecision } from './decision.ts';
import { conflict } from './refusal.ts';
import { runPatch } from './run-patch.ts';
import { stateChangePatch } from './state-change-patch.ts';

/** The body of a start request. */
export interface StartOptions {
  readonly paused?: boolean;
  readonly dryRun?: readonly string[];
}

/** What to tell somebody whose volumes were left half moved. */
export const MANUAL_RECOVERY =
  'VM recovery required: Volume migration failed, leaving some volumes pointing to non-consistent targets; manual intervention is needed to reassign them to their original volumes.';

/** What a request to start a virtual machine leads to. `instance` is its instance, if it has one. */
export function decideStart(
  machine: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  options: StartOptions = {},
): SubresourceDecision {
  if (isAlive(instance)) return conflict(machine, 'VM is already running');
  if (needsRecovery(machine)) return conflict(machine, MANUAL_RECOVERY);
  const strategy = runStrategyOf(machine);
  switch (strategy) {
    case RunStrategy.halted:
      return startHalted(machine, options);
    case RunStrategy.manual:
    case RunStrategy.rerunOnFailure:
      return startOnRequest(machine, instance, { strategy, options });
    default:
      return conflict(machine, `${strategy} does not support manual start requests`);
  }
}

function isAlive(instance: VirtualMachineInstance | undefined): boolean {
  const phase = instance?.status?.phase ?? VirtualMachineInstancePhase.unset;
  const isUndecided = phase === VirtualMachineInstancePhase.unset || phase === VirtualMachineInstancePhase.unknown;
  return instance !== undefined && !isUndecided && !isFinalPhase(phase);
}

function needsRecovery({ status }: VirtualMachine): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === VirtualMachineConditionType.manualRecoveryRequired && condition.status === 'True',
  );
}

// A paused start is an order that is carried out once; the strategy alone could not say that.
function startHalted(machine: VirtualMachine, options: StartOptions): SubresourceDecision {
  const isPausedAnyway = machine.spec.template?.spec?.startStrategy === 'Paused';
  if (options.paused !== true || isPausedAnyway) return { kind: 'patch', patches: [runPatch(machine, true)] };
  return patchOrRefuse(stateChangePatch(machine, [startRequest(options)]));
}

function startOnRequest(
  machine: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  { strategy, options }: { readonly strategy: string; readonly options: StartOptions },
): SubresourceDecision {
  const phase = instance?.status?.phase;
  if (strategy === RunStrategy.rerunOnFailure && phase === VirtualMachineInstancePhase.failed) {
    return conflict(machine, `${strategy} does not support starting VM from failed state`);
  }
  const start = startRequest(options);
  if (instance === undefined || !isFinalPhase(phase)) return patchOrRefuse(stateChangePatch(machine, [start]));
  return patchOrRefuse(stateChangePatch(machine, [stopRequest(instance), start]));
}

function startRequest({ paused }: StartOptions): VirtualMachineStateChangeRequest {
  return paused === true ? { action: 'Start', data: { paused: 'true' } } : { action: 'Start' };
}

/** The order to stop this very instance, so that a later one is not meant by accident. */
export function stopRequest({ metadata }: VirtualMachineInstance): VirtualMachineStateChangeRequest {
  return metadata.uid === undefined ? { action: 'Stop' } : { action: 'Stop', uid: metadata.uid };
}

/** The decision to write a patch, unless there is none. */
export function patchOrRefuse(patch: ObjectPatch | Refusal): SubresourceDecision {
  return 'kind' in patch ? patch : { kind: 'patch', patches: [patch] };
}

import {
  isFinalPhase,
  PrintableStatus,
  RunStrategy,
  VirtualMachineInstanceConditionType as Type,
  VirtualMachineInstancePhase as Phase,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineStartFailure,
} from '@smalt/vm-api';

import { hasCondition } from '../conditions/conditions.ts';
import { isMigrating } from '../migration/is-migrating.ts';
import { runStrategyOf } from './run-strategy.ts';
import { countsFailures } from './start-failure.ts';
import type { StorageFacts } from './virtual-machine-facts.ts';

export interface PrintableFacts {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly storage: StorageFacts | undefined;
  readonly startFailure: VirtualMachineStartFailure | undefined;
  /** What was just decided, and is not seen yet. */
  readonly expected: 'start' | 'stop' | undefined;
}

type Rule = readonly [PrintableStatus, (facts: PrintableFacts) => boolean];

/** The first that holds counts: several may hold at once. */
const RULES: readonly Rule[] = [
  [PrintableStatus.terminating, ({ vm }) => vm.metadata.deletionTimestamp !== undefined],
  [PrintableStatus.stopping, isStopping],
  [PrintableStatus.migrating, ({ vmi }) => vmi !== undefined && isMigrating(vmi)],
  [PrintableStatus.paused, ({ vmi }) => isRunning(vmi) && isPaused(vmi)],
  [PrintableStatus.running, ({ vmi }) => isRunning(vmi)],
  [PrintableStatus.pvcNotFound, ({ vmi }) => isUnsynchronized(vmi, 'FailedPvcNotFound')],
  [PrintableStatus.dataVolumeError, ({ storage }) => storage?.dataVolumes === 'failed'],
  [
    PrintableStatus.unschedulable,
    ({ vmi }) => hasCondition(vmi?.status?.conditions, Type.podScheduled, 'False', 'Unschedulable'),
  ],
  [PrintableStatus.provisioning, ({ storage }) => storage?.dataVolumes === 'provisioning'],
  [PrintableStatus.waitingForVolumeBinding, (facts) => facts.storage?.hasUnboundClaim === true && isToStart(facts)],
  [PrintableStatus.errImagePull, ({ vmi }) => isUnsynchronized(vmi, 'ErrImagePull')],
  [PrintableStatus.imagePullBackOff, ({ vmi }) => isUnsynchronized(vmi, 'ImagePullBackOff')],
  [PrintableStatus.starting, isStarting],
  [PrintableStatus.crashLoopBackOff, isCrashLooping],
  [
    PrintableStatus.stopped,
    ({ vmi, expected }) => (vmi === undefined ? expected !== 'start' : isFinalPhase(vmi.status?.phase)),
  ],
  [PrintableStatus.waitingForReceiver, isWaitingForReceiver],
];

/** The state of a virtual machine in one word for people. */
export function printableStatus(facts: PrintableFacts): PrintableStatus {
  return RULES.find(([, holds]) => holds(facts))?.[0] ?? PrintableStatus.unknown;
}

function isStopping({ vmi, expected }: PrintableFacts): boolean {
  if (vmi === undefined || isFinalPhase(vmi.status?.phase)) return false;
  return vmi.metadata.deletionTimestamp !== undefined || expected === 'stop';
}

const BEFORE_RUNNING: readonly string[] = [Phase.unset, Phase.pending, Phase.scheduling, Phase.scheduled];

function isStarting({ vmi, expected }: PrintableFacts): boolean {
  return vmi === undefined ? expected === 'start' : BEFORE_RUNNING.includes(vmi.status?.phase ?? Phase.unset);
}

function isCrashLooping({ vm, vmi, startFailure, expected }: PrintableFacts): boolean {
  if ((vmi !== undefined && !isFinalPhase(vmi.status?.phase)) || expected === 'start') return false;
  return (startFailure?.consecutiveFailCount ?? 0) > 0 && countsFailures(runStrategyOf(vm.spec));
}

function isWaitingForReceiver({ vm, vmi }: PrintableFacts): boolean {
  const waits = vmi === undefined || vmi.status?.phase === Phase.waitingForSync;
  return waits && runStrategyOf(vm.spec) === RunStrategy.waitAsReceiver;
}

/** Whether it is on its way up, so that a claim that is not bound holds it up. */
function isToStart({ vm, vmi, expected }: PrintableFacts): boolean {
  if (expected === 'start') return true;
  if (vmi !== undefined) return BEFORE_RUNNING.includes(vmi.status?.phase ?? Phase.unset);
  return runStrategyOf(vm.spec) === RunStrategy.always;
}

function isRunning(vmi: VirtualMachineInstance | undefined): boolean {
  return vmi?.status?.phase === Phase.running;
}

function isPaused(vmi: VirtualMachineInstance | undefined): boolean {
  return hasCondition(vmi?.status?.conditions, Type.paused, 'True');
}

function isUnsynchronized(vmi: VirtualMachineInstance | undefined, reason: string): boolean {
  return hasCondition(vmi?.status?.conditions, Type.synchronized, 'False', reason);
}

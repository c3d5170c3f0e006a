import {
  PrintableStatus,
  RunStrategy,
  VirtualMachineConditionType,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachinePoolAutohealingStrategy,
} from '@smalt/vm-api';

import { findCondition, readTime } from '../conditions/conditions.ts';
import { runStrategyOf } from '../virtual-machine/run-strategy.ts';
import { startDelaySeconds } from '../virtual-machine/start-failure.ts';
import { hasStartRequest, openRequests } from '../virtual-machine/state-change-requests.ts';
import { readDuration } from './read-duration.ts';

const DEFAULT_FAILURES = 3;
const DEFAULT_FAILING_MS = 5 * 60_000;
const FAILING: readonly string[] = [
  PrintableStatus.crashLoopBackOff,
  PrintableStatus.unschedulable,
  PrintableStatus.dataVolumeError,
  PrintableStatus.pvcNotFound,
  PrintableStatus.errImagePull,
  PrintableStatus.imagePullBackOff,
];

/**
 * In how many milliseconds a machine that does not start will have failed for so long, or so often, that it is made anew: 0
 * when it has, undefined for one that starts or need not run.
 */
export function hopeMs(
  machine: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  healing: VirtualMachinePoolAutohealingStrategy,
  now: number,
): number | undefined {
  if (!isToRun(machine, instance)) return undefined;
  const { startUpFailureThreshold = DEFAULT_FAILURES, minFailingToStartDuration } = healing;
  if ((machine.status?.startFailure?.consecutiveFailCount ?? 0) >= startUpFailureThreshold) return 0;
  const since = failingSince(machine, instance);
  const patience = readDuration(minFailingToStartDuration ?? '') ?? DEFAULT_FAILING_MS;
  return since === undefined ? undefined : Math.min(patience, Math.max(0, since + patience - now));
}

/** Whether it should have an instance now. To take one that somebody has stopped for one that fails would cost its disks. */
function isToRun({ spec, status }: VirtualMachine, instance: VirtualMachineInstance | undefined): boolean {
  const strategy = runStrategyOf(spec);
  switch (strategy) {
    case RunStrategy.always:
    case RunStrategy.once:
      return true;
    case RunStrategy.manual:
    case RunStrategy.rerunOnFailure: {
      const isSetAnew = strategy === RunStrategy.rerunOnFailure && status?.runStrategy !== strategy;
      return (
        instance !== undefined || isSetAnew || hasStartRequest(openRequests(status?.stateChangeRequests, instance))
      );
    }
    case RunStrategy.halted:
    case RunStrategy.waitAsReceiver:
    case undefined:
      return false;
  }
}

/** When it began to fail; undefined for one that does not. That it was not ready before, stopped by somebody, does not count. */
function failingSince({ status }: VirtualMachine, instance: VirtualMachineInstance | undefined): number | undefined {
  if (!FAILING.includes(status?.printableStatus ?? '')) return undefined;
  const ready = findCondition(status?.conditions, VirtualMachineConditionType.ready);
  const notReadySince = ready?.status === 'False' ? readTime(ready.lastTransitionTime) : undefined;
  if (notReadySince === undefined) return undefined;
  const isCrashing = status?.printableStatus === PrintableStatus.crashLoopBackOff;
  // In a row of failures each instance is younger than the row.
  const startedAt = isCrashing ? crashingSince(status?.startFailure) : readTime(instance?.metadata.creationTimestamp);
  return Math.max(notReadySince, startedAt ?? notReadySince);
}

/** When a row of failures began, at the latest: after each of them there was a delay. */
function crashingSince(failure: NonNullable<VirtualMachine['status']>['startFailure']): number | undefined {
  const retryAt = readTime(failure?.retryAfterTimestamp);
  if (retryAt === undefined) return undefined;
  let delays = 0;
  for (let count = failure?.consecutiveFailCount ?? 0; count > 0; count--) delays += startDelaySeconds(count, 0);
  return retryAt - delays * 1000;
}

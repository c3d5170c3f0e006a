import {
  PrintableStatus,
  VirtualMachineConditionType,
  type VirtualMachine,
  type VirtualMachinePoolAutohealingStrategy,
} from '@smalt/vm-api';

import { findCondition, readTime } from '../conditions/conditions.ts';
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

/** Whether a machine has not started for so long, or so often, that it is made anew. */
export function isBeyondHope(
  { status }: VirtualMachine,
  healing: VirtualMachinePoolAutohealingStrategy,
  now: number,
): boolean {
  const { startUpFailureThreshold = DEFAULT_FAILURES, minFailingToStartDuration } = healing;
  if ((status?.startFailure?.consecutiveFailCount ?? 0) >= startUpFailureThreshold) return true;
  if (!FAILING.includes(status?.printableStatus ?? '')) return false;
  const ready = findCondition(status?.conditions, VirtualMachineConditionType.ready);
  const since = ready?.status === 'False' ? readTime(ready.lastTransitionTime) : undefined;
  const patience = readDuration(minFailingToStartDuration ?? '') ?? DEFAULT_FAILING_MS;
  return since !== undefined && now - since >= patience;
}

/** In how many milliseconds a machine that does not start will be beyond hope, unless it starts; undefined for one that does. */
export function hopeMs(
  { status }: VirtualMachine,
  healing: VirtualMachinePoolAutohealingStrategy,
  now: number,
): number | undefined {
  const ready = findCondition(status?.conditions, VirtualMachineConditionType.ready);
  const since = ready?.status === 'False' ? readTime(ready.lastTransitionTime) : undefined;
  if (since === undefined || !FAILING.includes(status?.printableStatus ?? '')) return undefined;
  const patience = readDuration(healing.minFailingToStartDuration ?? '') ?? DEFAULT_FAILING_MS;
  return Math.max(0, since + patience - now);
}

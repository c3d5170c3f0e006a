import type { JsonObject } from '@smalt/json';

import { isGivenAt, isTrueAt, itemsAt, numberAt, textAt } from '../read-path.ts';

/** What `kubectl get pods` says about a pod. */
export interface PodState {
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** When a container ended last before it was started again; empty when that never happened. */
  readonly lastRestart: string;
}

interface Tally {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

/** Sums up the containers of a pod the way Kubernetes does. */
export function podStateOf(pod: JsonObject): PodState {
  const sidecars = new Set(
    itemsAt(pod, 'spec', 'initContainers')
      .filter((container) => textAt(container, 'restartPolicy') === 'Always')
      .map((container) => textAt(container, 'name')),
  );
  const total = itemsAt(pod, 'spec', 'containers').length + sidecars.size;
  const init = initState(pod, sidecars);
  const isDone = init.isInitialized || hasCondition(pod, 'Initialized');
  const state = isDone ? runningState(pod, init.sidecars, init.tally) : init.tally;
  return { ...state, total, reason: deletedReason(pod, state.reason) };
}

interface InitState {
  readonly tally: Tally;
  /** The restarts of sidecars alone: those of other init containers are history once the pod runs. */
  readonly sidecars: Tally;
  readonly isInitialized: boolean;
}

function initState(pod: JsonObject, sidecarNames: ReadonlySet<string>): InitState {
  const tally: Tally = { reason: phaseReason(pod), ready: 0, restarts: 0, lastRestart: '' };
  const sidecars: Tally = { ...tally };
  const total = itemsAt(pod, 'spec', 'initContainers').length;
  for (const [index, status] of itemsAt(pod, 'status', 'initContainerStatuses').entries()) {
    const isSidecar = sidecarNames.has(textAt(status, 'name'));
    addRestarts(tally, status);
    if (isSidecar) addRestarts(sidecars, status);
    if (isGivenAt(status, 'state', 'terminated') && numberAt(status, 'state', 'terminated', 'exitCode') === 0) continue;
    if (isSidecar && isTrueAt(status, 'started')) {
      if (isTrueAt(status, 'ready')) tally.ready++;
      continue;
    }
    tally.reason = `Init:${initReason(status) ?? `${index}/${total}`}`;
    return { tally, sidecars, isInitialized: false };
  }
  return { tally, sidecars, isInitialized: true };
}

function initReason(status: JsonObject): string | undefined {
  if (isGivenAt(status, 'state', 'terminated')) return terminatedReason(status);
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  return waiting !== '' && waiting !== 'PodInitializing' ? waiting : undefined;
}

function runningState(pod: JsonObject, sidecars: Tally, init: Tally): Tally {
  const tally: Tally = { ...init, restarts: sidecars.restarts, lastRestart: sidecars.lastRestart };
  let isRunning = false;
  let failure = '';
  for (const status of itemsAt(pod, 'status', 'containerStatuses').toReversed()) {
    addRestarts(tally, status);
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    if (waiting !== '') tally.reason = waiting;
    else if (isGivenAt(status, 'state', 'terminated')) {
      tally.reason = terminatedReason(status);
      if (numberAt(status, 'state', 'terminated', 'exitCode') !== 0) failure = tally.reason;
    } else if (isTrueAt(status, 'ready') && isGivenAt(status, 'state', 'running')) {
      isRunning = true;
      tally.ready++;
    }
  }
  if (tally.reason === 'Completed') tally.reason = completedReason(pod, isRunning, failure);
  return tally;
}

// One container may have completed while others still run.
function completedReason(pod: JsonObject, isRunning: boolean, failure: string): string {
  if (isRunning && hasCondition(pod, 'Ready')) return 'Running';
  if (failure !== '') return failure;
  return isRunning ? 'NotReady' : 'Completed';
}

function deletedReason(pod: JsonObject, reason: string): string {
  if (!isGivenAt(pod, 'metadata', 'deletionTimestamp')) return reason;
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase')) ? reason : 'Terminating';
}

function phaseReason(pod: JsonObject): string {
  const isGated = itemsAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  );
  if (isGated) return 'SchedulingGated';
  return textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
}

function terminatedReason(status: JsonObject): string {
  const reason = textAt(status, 'state', 'terminated', 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(status, 'state', 'terminated', 'signal');
  return signal === 0 ? `ExitCode:${numberAt(status, 'state', 'terminated', 'exitCode')}` : `Signal:${signal}`;
}

function addRestarts(tally: Tally, status: JsonObject): void {
  tally.restarts += numberAt(status, 'restartCount');
  const ended = textAt(status, 'lastState', 'terminated', 'finishedAt');
  if (ended > tally.lastRestart) tally.lastRestart = ended;
}

function hasCondition(pod: JsonObject, type: string): boolean {
  return itemsAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}

import { UNPAUSED_GATE } from '@smalt/vm-lifecycle';

import type { Exit } from './exit.ts';
import { qosClass } from './pod-limits.ts';
import type { PodCondition, RunnerContainerStatus, RunnerPod, RunnerPodStatus } from './pod.ts';

export interface StatusFacts {
  readonly now: Date;
  /** The address of the node, which its pods share. */
  readonly address: string;
  /** When the launcher started. */
  readonly startedAt: Date;
}

/** Everything there is to say of a pod whose launcher runs, gate included, so that one write is enough. */
export function runningStatus(pod: RunnerPod, facts: StatusFacts): RunnerPodStatus {
  const gates = (pod.spec.readinessGates ?? []).map(({ conditionType }) => conditionType);
  const own = gates.filter(
    (gate) => gate === UNPAUSED_GATE && !pod.status?.conditions?.some(({ type }) => type === gate),
  );
  const isOpen = (gate: string): boolean =>
    own.includes(gate) ||
    pod.status?.conditions?.some(({ type, status }) => type === gate && status === 'True') === true;
  const closed = gates.filter((gate) => !isOpen(gate));
  const startedAt = timestamp(facts.startedAt);
  return {
    ...commonStatus(pod, facts),
    phase: 'Running',
    conditions: transitions(pod, facts.now, [
      { type: 'PodReadyToStartContainers', status: 'True' },
      { type: 'Initialized', status: 'True' },
      { type: 'ContainersReady', status: 'True' },
      closed.length === 0
        ? { type: 'Ready', status: 'True' }
        : { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: `closed: ${closed.join(', ')}` },
      ...own.map((type) => ({ type, status: 'True' })),
    ]),
    containerStatuses: containerStatuses(pod, { isReady: true, state: { running: { startedAt } } }),
  };
}

/** What there is to say of a pod whose launcher cannot start yet. */
export function waitingStatus(
  pod: RunnerPod,
  { reason, message }: { readonly reason: string; readonly message: string },
  facts: Omit<StatusFacts, 'startedAt'>,
): RunnerPodStatus {
  const name = pod.spec.containers.map((container) => container.name).join(' ');
  const unready = { reason: 'ContainersNotReady', message: `containers with unready status: [${name}]` };
  return {
    ...commonStatus(pod, { ...facts, startedAt: facts.now }),
    phase: 'Pending',
    conditions: transitions(pod, facts.now, [
      { type: 'Initialized', status: 'True' },
      { type: 'ContainersReady', status: 'False', ...unready },
      { type: 'Ready', status: 'False', ...unready },
    ]),
    containerStatuses: containerStatuses(pod, { isReady: false, state: { waiting: { reason, message } } }),
  };
}

/** What there is to say of a pod whose launcher has ended, or will never start. */
export function endedStatus(pod: RunnerPod, exit: Exit, facts: StatusFacts): RunnerPodStatus {
  const isWell = exit.exitCode === 0;
  const { exitCode, reason, message } = exit;
  const times = { startedAt: timestamp(facts.startedAt), finishedAt: timestamp(facts.now) };
  const terminated = { exitCode, reason, ...(message === '' ? {} : { message }), ...times };
  const because = { reason: isWell ? 'PodCompleted' : 'PodFailed' };
  return {
    ...commonStatus(pod, facts),
    phase: isWell ? 'Succeeded' : 'Failed',
    ...(isWell ? {} : { reason, message }),
    conditions: transitions(pod, facts.now, [
      { type: 'Initialized', status: 'True', ...(isWell ? because : {}) },
      { type: 'ContainersReady', status: 'False', ...because },
      { type: 'Ready', status: 'False', ...because },
    ]),
    containerStatuses: containerStatuses(pod, { isReady: false, state: { terminated } }),
  };
}

/** Whether the API says all that is wanted: a list of conditions may have others, and times do not count. */
export function isTold(current: RunnerPodStatus | undefined, wanted: RunnerPodStatus): boolean {
  if (current?.phase !== wanted.phase || current?.reason !== wanted.reason) return false;
  const hasConditions = (wanted.conditions ?? []).every((condition) =>
    current?.conditions?.some(
      ({ type, status, message }) =>
        type === condition.type && status === condition.status && message === condition.message,
    ),
  );
  const hasContainers = (wanted.containerStatuses ?? []).every(({ name, state }) =>
    current?.containerStatuses?.some((each) => each.name === name && sameState(each.state, state)),
  );
  return hasConditions && hasContainers;
}

type State = RunnerContainerStatus['state'];

function sameState(left: State, right: State): boolean {
  return (
    left?.waiting?.reason === right?.waiting?.reason &&
    left?.waiting?.message === right?.waiting?.message &&
    (left?.running === undefined) === (right?.running === undefined) &&
    left?.terminated?.exitCode === right?.terminated?.exitCode
  );
}

function commonStatus(pod: RunnerPod, { address, startedAt }: StatusFacts): object {
  return {
    startTime: pod.status?.startTime ?? timestamp(startedAt),
    hostIP: address,
    hostIPs: [{ ip: address }],
    podIP: address,
    podIPs: [{ ip: address }],
    qosClass: pod.status?.qosClass ?? qosClass(pod),
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  };
}

interface ContainerState {
  readonly isReady: boolean;
  readonly state: object;
}

function containerStatuses(pod: RunnerPod, { isReady, state }: ContainerState): readonly RunnerContainerStatus[] {
  return pod.spec.containers.map(({ name, image = '' }) => ({
    name,
    image,
    // The launcher is a program of this machine, whatever the image is called.
    imageID: image,
    containerID: `smalt://${pod.metadata.uid ?? ''}`,
    ready: isReady,
    started: isReady,
    restartCount: 0,
    state,
    lastState: {},
  }));
}

/** Conditions with the time of their last change, which stays as long as their status does. */
function transitions(pod: RunnerPod, now: Date, conditions: readonly PodCondition[]): readonly PodCondition[] {
  return conditions.map((condition) => {
    const before = pod.status?.conditions?.find(({ type }) => type === condition.type);
    const isSame = before?.status === condition.status;
    return { ...condition, lastTransitionTime: (isSame ? before.lastTransitionTime : undefined) ?? timestamp(now) };
  });
}

function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

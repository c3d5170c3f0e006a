import type { Exit } from './exit.ts';
import { hasEnded, type RunnerPod } from './pod.ts';

/** What is on this node of a pod. */
export type LocalState =
  | { readonly kind: 'nothing' }
  /** Without a process where pods are only recorded. */
  | { readonly kind: 'running'; readonly hasProcess: boolean }
  | { readonly kind: 'ended'; readonly exit: Exit };

export interface PodFacts {
  /** As the API shows it. */
  readonly pod: RunnerPod;
  readonly local: LocalState;
  /** Why it can never be run here. */
  readonly refusal: string | undefined;
  /** How long ago its launcher was told to end; undefined when it was not. */
  readonly stoppingForMs: number | undefined;
}

export type PodStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'start' }
  | { readonly kind: 'tell-running' }
  /** Ends what is left of it, and tells how it went. */
  | { readonly kind: 'tell-ended'; readonly exit: Exit }
  | { readonly kind: 'stop' }
  | { readonly kind: 'wait'; readonly forMs: number }
  /** Ends what is left of it at once. */
  | { readonly kind: 'kill' }
  /** Removes all that is here, and the pod from the API. */
  | { readonly kind: 'finish-deletion' };

const DEFAULT_GRACE_SECONDS = 30;
const LOST: Exit = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'the launcher was running, and nothing of it is left on the node; it is not started twice',
};

/** Decides what happens next to a pod of this node. A launcher is started once: what has run is never run again. */
export function decidePod({ pod, local, refusal, stoppingForMs }: PodFacts): PodStep {
  if (pod.metadata.deletionTimestamp !== undefined) return decideDeletion(pod, local, stoppingForMs);
  if (hasEnded(pod)) return { kind: local.kind === 'running' ? 'kill' : 'nothing' };
  switch (local.kind) {
    case 'running':
      return { kind: 'tell-running' };
    case 'ended':
      return { kind: 'tell-ended', exit: local.exit };
    case 'nothing':
      if (pod.status?.phase === 'Running') return { kind: 'tell-ended', exit: LOST };
      if (refusal === undefined) return { kind: 'start' };
      return { kind: 'tell-ended', exit: { exitCode: 128, reason: 'UnsupportedPod', message: refusal } };
  }
}

function decideDeletion(pod: RunnerPod, local: LocalState, stoppingForMs: number | undefined): PodStep {
  if (local.kind !== 'running' || !local.hasProcess) return { kind: 'finish-deletion' };
  const { metadata, spec } = pod;
  // By our own clock: the time in the object was made by another machine.
  const seconds = metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
  if (stoppingForMs === undefined) return { kind: seconds > 0 ? 'stop' : 'finish-deletion' };
  const leftMs = seconds * 1000 - stoppingForMs;
  return leftMs > 0 ? { kind: 'wait', forMs: leftMs } : { kind: 'finish-deletion' };
}

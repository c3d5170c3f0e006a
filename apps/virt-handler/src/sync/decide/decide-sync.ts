import { DomainPausedReason, DomainShutoffReason, DomainState } from '@smalt/libvirt';
import {
  isFinalPhase,
  VirtualMachineInstancePhase as Phase,
  WellKnownName,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { graceSeconds } from '@smalt/vm-lifecycle';

import { isToEnd } from './is-to-end.ts';
import { judgeEnd, judgeGone } from './judge-end.ts';
import type { SyncFacts } from './sync-facts.ts';
import { failed, succeeded, type Verdict } from './verdict.ts';

/** How often a guest that does not react is asked again to shut down. */
const ASK_AGAIN_MS = 5_000;

/** What is done about an instance in one pass. */
export type SyncAction =
  /** It is no business of this node, or somebody else's turn. */
  | { readonly kind: 'none' }
  /** Nothing can be done until libvirt is there; what runs, runs on. */
  | { readonly kind: 'wait'; readonly problem: string }
  /** Its pod is not found, and nothing shows that it has ended. */
  | { readonly kind: 'await-pod'; readonly problem: string }
  /** Makes it run, from wherever an earlier attempt ended. */
  | { readonly kind: 'start' }
  /** It runs: changes are carried out and it is told how it is, and what is wrong about it. */
  | { readonly kind: 'report'; readonly problem?: string }
  | { readonly kind: 'shut-down'; readonly againInMs: number }
  /** Its process has to go now. */
  | { readonly kind: 'destroy'; readonly why: string }
  /** Its process is gone: what is left goes too, and the instance is told how it ended. */
  | { readonly kind: 'end'; readonly verdict: Verdict }
  /** It has ended for the API already: what is left goes. */
  | { readonly kind: 'tidy' };

/**
 * Decides what is done next about an instance. Only one that is placed here is acted on, and only while libvirt shows
 * all its domains: what is not seen may still run.
 */
export function decideSync(facts: SyncFacts): SyncAction {
  const { instance, nodeName, libvirt, domain, verdict } = facts;
  if (instance.metadata.labels?.[WellKnownName.nodeNameLabel] !== nodeName) return { kind: 'none' };
  if (libvirt === 'missing') return { kind: 'wait', problem: `the node ${nodeName} does not offer its hypervisor` };
  if (libvirt === 'away') return { kind: 'wait', problem: `libvirt on the node ${nodeName} does not answer` };
  if (libvirt === 'silent') {
    return { kind: 'wait', problem: `libvirt on the node ${nodeName} does not tell how its domain is` };
  }
  const phase = instance.status?.phase;
  if (isFinalPhase(phase)) return isOn(domain) ? { kind: 'destroy', why: 'the instance has ended' } : { kind: 'tidy' };
  if (phase !== Phase.scheduled && phase !== Phase.running && phase !== Phase.unknown) return { kind: 'none' };
  if (isOn(domain)) return decideOn(facts);
  if (verdict !== undefined) return { kind: 'end', verdict };
  if (isMigratingFrom(instance, nodeName)) return { kind: 'none' };
  return decideOff(facts);
}

/** Whether the guest of an instance is to leave a node and that is not over: its domain may be gone at any moment then. */
export function isMigratingFrom({ status }: VirtualMachineInstance, nodeName: string): boolean {
  const state = status?.migrationState;
  return state?.migrationUid !== undefined && state.sourceNode === nodeName && state.completed !== true;
}

/** Whether a domain has a process, or what stands for one. A state that says nothing counts: the careful guess. */
export function isOn(domain: SyncFacts['domain']): domain is NonNullable<SyncFacts['domain']> {
  return domain !== undefined && domain.state !== DomainState.shutoff;
}

function decideOn(facts: SyncFacts): SyncAction {
  const { instance, sandbox, domain } = facts;
  if (sandbox === 'gone') return { kind: 'destroy', why: 'its launcher pod has ended' };
  if (domain?.state === DomainState.crashed) return { kind: 'destroy', why: 'the guest has crashed' };
  if (isToEnd(facts)) return decideShutdown(facts);
  if (instance.status?.phase === Phase.scheduled) return sandbox === 'alive' ? { kind: 'start' } : awaitPod(facts);
  return sandbox === 'alive' ? { kind: 'report' } : { kind: 'report', problem: awaitPod(facts).problem };
}

/** Without its pod a guest is not started, but one that runs is not ended either: a file may be missing for many reasons. */
function awaitPod({ nodeName }: SyncFacts): Extract<SyncAction, { readonly kind: 'await-pod' }> {
  const problem = `its launcher pod is not found on the node ${nodeName}, and nothing shows that the pod has ended; its guest is left as it is. Check that a pod runner works there, and that both use the same directory of pods`;
  return { kind: 'await-pod', problem };
}

function decideShutdown({ instance, domain, shuttingDownMs = 0 }: SyncFacts): SyncAction {
  const graceMs = graceSeconds(instance) * 1000;
  if (shuttingDownMs >= graceMs) return { kind: 'destroy', why: `it had ${graceMs / 1000} s to shut down` };
  // A guest that was not let run yet has nothing to put in order.
  const hasNeverRun = instance.status?.phase === Phase.scheduled && domain?.state === DomainState.paused;
  if (hasNeverRun && domain?.reason !== DomainPausedReason.ioerror) return { kind: 'destroy', why: 'it has never run' };
  return { kind: 'shut-down', againInMs: Math.min(ASK_AGAIN_MS, graceMs - shuttingDownMs) };
}

function decideOff(facts: SyncFacts): SyncAction {
  const { instance, domain, sandbox, isPodActive } = facts;
  const isNew = instance.status?.phase === Phase.scheduled && (domain === undefined || mayNeverHaveRun(domain.reason));
  if (!isNew) return { kind: 'end', verdict: domain === undefined ? judgeGone(facts) : judgeEnd(facts, domain.reason) };
  if (instance.metadata.deletionTimestamp !== undefined) {
    return { kind: 'end', verdict: succeeded('DeletedBeforeStart', 'The instance was deleted before it was started.') };
  }
  if (!isToEnd(facts)) {
    if (sandbox === 'alive') return { kind: 'start' };
    if (sandbox === 'unknown' && isPodActive) return awaitPod(facts);
  }
  return { kind: 'end', verdict: failed('LauncherGone', 'The launcher pod ended before the guest was started.') };
}

/** A domain that was only defined, or failed to start, is off for one of these reasons. */
function mayNeverHaveRun(reason: number): boolean {
  return reason === DomainShutoffReason.unknown || reason === DomainShutoffReason.failed;
}

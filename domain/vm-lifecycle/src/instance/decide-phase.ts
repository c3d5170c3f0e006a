import { VirtualMachineInstancePhase as Phase, type VirtualMachineInstance } from '@smalt/vm-api';

import { judgeLoss, type Loss } from './fence-proof.ts';
import type { InstanceFacts } from './instance-facts.ts';
import { podState, type ObservedPod } from './launcher-pod-state.ts';

/** The phase that the controller gives an instance, and why where it says why. */
export interface PhaseStep {
  readonly phase: string;
  readonly reason?: string;
}

const LOST: PhaseStep = { phase: Phase.failed, reason: 'NodeUnresponsive' };

export interface PhaseFacts extends InstanceFacts {
  /** The launcher that carries the instance, or is to. */
  readonly pod: ObservedPod | undefined;
}

/**
 * Moves an instance as far as the controller may. Once it is on a node, only the handler of that node, which sees the
 * domain, or the proof that the node is off ends it: a pod that is gone from the API proves nothing about a domain.
 */
export function decidePhase(facts: PhaseFacts): PhaseStep {
  const { vmi } = facts;
  const phase = vmi.status?.phase ?? Phase.unset;
  switch (phase) {
    case Phase.unset:
    case Phase.pending:
      return { phase: fromPending(facts) };
    case Phase.scheduling:
      return isAwaitedInVain(facts) ? LOST : { phase: fromScheduling(vmi, facts.pod) };
    case Phase.scheduled:
    case Phase.running:
      return fromHandled(phase, judgeLoss(facts));
    default:
      return { phase };
  }
}

function fromPending({ vmi, pod, storage }: PhaseFacts): string {
  if (pod !== undefined) return Phase.scheduling;
  const isOver = vmi.metadata.deletionTimestamp !== undefined || storage.dataVolumes === 'failed';
  return isOver ? Phase.failed : Phase.pending;
}

/**
 * Whether the launcher waits on a node whose handler has fallen silent. Nobody was told to run the instance yet, so that nothing
 * has to be proved: it is given up, and whoever wants it makes it anew elsewhere.
 */
function isAwaitedInVain({ pod, nodes }: PhaseFacts): boolean {
  const node = nodes.get(pod?.spec.nodeName ?? '');
  return node?.kind === 'silent' && node.lastHeartbeat !== undefined;
}

function fromScheduling({ metadata, spec }: VirtualMachineInstance, pod: ObservedPod | undefined): string {
  if (pod === undefined) return Phase.failed;
  switch (podState(pod)) {
    case 'ended':
    case 'leaving':
      return Phase.failed;
    case 'ready':
      return metadata.deletionTimestamp === undefined && hasItsResources(spec, pod)
        ? Phase.scheduled
        : Phase.scheduling;
    case 'starting':
      return Phase.scheduling;
  }
}

function fromHandled(phase: string, loss: Loss): PhaseStep {
  return loss === 'proven' ? LOST : { phase };
}

/** Processors of its own are only given to pods whose resources are guaranteed. */
export function hasItsResources({ domain }: VirtualMachineInstance['spec'], { status }: ObservedPod): boolean {
  return domain.cpu?.dedicatedCpuPlacement !== true || status?.qosClass === 'Guaranteed';
}

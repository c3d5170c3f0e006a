import { MigrationMode, type VirtualMachineInstance } from '@smalt/vm-api';

import type { Whereabouts } from './guest-whereabouts.ts';

export interface TargetFacts {
  readonly nodeName: string;
  readonly instance: VirtualMachineInstance;
  /** What the libvirt of this node has of the guest. */
  readonly guest: Whereabouts;
  /** Whether this process has prepared the node for this very migration. */
  readonly isPrepared: boolean;
  /** Whether it runs here while half of it is still to come. */
  readonly isHalf: boolean;
  /** Whether the source was proven to be without power since the migration began. */
  readonly isSourceOff: boolean;
  /** Why the node cannot be prepared, if it was tried often enough. */
  readonly failure: string | undefined;
}

/** What the target of a migration does next. */
export type TargetStep =
  /** It is no business of this node, or there is nothing to do. */
  | { readonly kind: 'none' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'prepare' }
  /** Say that the node will not get ready, so that the source ends the migration. */
  | { readonly kind: 'object'; readonly reason: string }
  /** The guest is here: its process goes where it belongs, and that is told. */
  | { readonly kind: 'welcome' }
  /** The source is off for good and the guest is here: it belongs to this node. */
  | { readonly kind: 'take-over' }
  /** The source is off for good and the guest did not come: what is left of it ends, and then that is told. */
  | { readonly kind: 'give-up' }
  /** It did not come: what was prepared goes, and what is left of the guest if it can run nowhere. */
  | { readonly kind: 'clear'; readonly endsGuest: boolean };

/**
 * Decides what the target of a migration does next. A guest that runs is never touched. How it ended is for the source to
 * tell, unless that was proven to be off.
 */
export function decideTarget(facts: TargetFacts): TargetStep {
  const { nodeName, instance, guest, isPrepared, failure } = facts;
  const state = instance.status?.migrationState;
  if (state?.migrationUid === undefined || state.targetNode !== nodeName) return { kind: 'none' };
  const isOver = state.completed === true;
  if (isOver && state.failed === true)
    return instance.status?.nodeName === nodeName ? { kind: 'none' } : afterFailure(guest);
  if (!isOver && facts.isSourceOff) return withoutSource(facts);
  if (hasArrived(guest)) return state.targetNodeDomainDetected === true ? { kind: 'none' } : { kind: 'welcome' };
  // How an instance fares that belongs to this node already is not a matter of its migration.
  // What was prepared may not have been told: the source waits for that.
  if (isOver || (isPrepared && isSet(state.targetNodeAddress))) return { kind: 'none' };
  if (guest === 'unreachable' || guest === 'broken') return { kind: 'wait' };
  // It may have come and ended. The source says which, and what was written down at its start must stay until then.
  if (guest === 'off' && isSet(state.startTimestamp)) return { kind: 'wait' };
  if (failure !== undefined) {
    return isSet(state.failureReason) || isSet(state.startTimestamp)
      ? { kind: 'wait' }
      : { kind: 'object', reason: failure };
  }
  return isEnding(instance) ? { kind: 'wait' } : { kind: 'prepare' };
}

/** Whether a guest may be on its way here, so that nothing else may be done to its domain. */
export function mayBeComing({ status }: VirtualMachineInstance, nodeName: string): boolean {
  const state = status?.migrationState;
  return state?.migrationUid !== undefined && state.targetNode === nodeName && state.completed !== true;
}

function withoutSource({ instance, guest, isHalf }: TargetFacts): TargetStep {
  const isPostCopy = instance.status?.migrationState?.mode === MigrationMode.postCopy;
  switch (guest) {
    case 'running':
      // It stops when it misses the other half, and is `broken` then.
      return { kind: isHalf ? 'wait' : 'take-over' };
    case 'paused':
      // Whether all of it is here cannot be seen while somebody holds it.
      return { kind: isPostCopy ? 'wait' : 'take-over' };
    // Nobody is left who could let it run.
    case 'held':
    case 'broken':
    case 'off':
    case 'failed':
    case 'absent':
      return { kind: 'give-up' };
    case 'post-copy':
    case 'unreachable':
      return { kind: 'wait' };
  }
}

function afterFailure(guest: Whereabouts): TargetStep {
  switch (guest) {
    case 'absent':
      return { kind: 'clear', endsGuest: false };
    case 'off':
    case 'failed':
    case 'broken':
      return { kind: 'clear', endsGuest: true };
    // libvirt takes it away by itself, or somebody has to look.
    case 'held':
    case 'unreachable':
    case 'running':
    case 'paused':
    case 'post-copy':
      return { kind: 'wait' };
  }
}

/** After post-copy has begun the guest runs here, though half of it is still to come. */
function hasArrived(guest: Whereabouts): boolean {
  return guest === 'running' || guest === 'paused';
}

function isEnding({ metadata, status }: VirtualMachineInstance): boolean {
  return metadata.deletionTimestamp !== undefined || status?.migrationState?.abortRequested === true;
}

function isSet(text: string | null | undefined): boolean {
  return text !== undefined && text !== null && text !== '';
}

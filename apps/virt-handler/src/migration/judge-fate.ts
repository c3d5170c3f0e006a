import type { Whereabouts } from './guest-whereabouts.ts';

/** All that is known of a guest whose migration has ended without a clear word. */
export interface FateFacts {
  readonly source: Whereabouts;
  readonly target: Whereabouts;
  /** Whether the target was asked to let the guest run, or that is not known; before that it surely does not. */
  readonly mayHaveMoved: boolean;
  /** Whether the target has answered that it lets the guest run, so that only what is left here has to go. */
  readonly hasArrived: boolean;
  /** Whether it is known that half of the guest may have been left here while it ran there. */
  readonly isPostCopy: boolean;
  /** Whether the handler of the target has said that the guest runs there. */
  readonly isDetected: boolean;
  /**
   * Whether the target was proven to have been without power since the migration began, or was booted since it was asked to let the guest
   * run; where nobody knows when that was, since the migration began.
   */
  readonly isTargetOff: boolean;
}

export type Fate =
  /** It is at the target, where it runs or has ended since; what is left here goes. */
  | { readonly kind: 'moved' }
  /** It is here; if it stands still for the migration alone, it is to go on. */
  | { readonly kind: 'stayed'; readonly needsResume: boolean }
  /** It can run nowhere: half of it is gone, or what is here is older than what it may have written at the target. */
  | { readonly kind: 'lost'; readonly why: 'half' | 'outrun' }
  /** Both ends have their half and wait for each other. */
  | { readonly kind: 'recoverable' }
  /** It becomes clear by itself. */
  | { readonly kind: 'wait' }
  /** Nobody can tell: it must run nowhere until the target has been heard, or was proven to be off. */
  | { readonly kind: 'unknown' };

const HALF_LOST: Fate = { kind: 'lost', why: 'half' };

/** Judges where a guest is after a migration that did not say how it ended. Never lets both ends run it, not even one after the other. */
export function judgeFate(facts: FateFacts): Fate {
  const { source, target, mayHaveMoved, hasArrived } = facts;
  if (hasArrived && source !== 'unreachable') return { kind: 'moved' };
  switch (source) {
    case 'unreachable':
      return { kind: 'wait' };
    // The source lets it go on by itself only when the target surely does not have it.
    case 'running':
      return { kind: 'stayed', needsResume: false };
    // A source forgets a guest only after the target has confirmed it.
    case 'absent':
      return { kind: 'moved' };
    case 'paused':
    case 'held':
    case 'off':
    case 'failed':
      if (!mayHaveMoved && target !== 'running') return { kind: 'stayed', needsResume: source === 'held' };
      return fateByTarget(facts);
    case 'post-copy':
    case 'broken':
      return fateOfHalf(facts);
  }
}

function fateByTarget({ source, target, isPostCopy, isDetected, isTargetOff }: FateFacts): Fate {
  const stayed: Fate = { kind: 'stayed', needsResume: source === 'held' };
  // What has no process here goes on in no case.
  const outrun: Fate = source === 'off' || source === 'failed' ? stayed : { kind: 'lost', why: 'outrun' };
  switch (target) {
    case 'running':
    case 'paused':
      return { kind: 'moved' };
    // What is here may be the whole guest: without post-copy, half a guest there is no success but confusion.
    case 'post-copy':
    case 'broken':
      return { kind: isPostCopy ? 'moved' : 'unknown' };
    case 'held':
      return { kind: 'wait' };
    // How it ended there, its handler tells. Here it would go on from before that, on disks that it has written to since.
    case 'off':
      return { kind: 'moved' };
    case 'failed':
      return isDetected ? { kind: 'moved' } : stayed;
    // libvirt writes a definition before it lets a guest run, and that stays when the guest ends: this one has not run. But a
    // host that loses its power just then may lose the definition too, or keep none at all.
    case 'absent':
      if (isDetected) return { kind: 'moved' };
      return isTargetOff ? outrun : stayed;
    case 'unreachable':
      if (isDetected) return { kind: 'moved' };
      // It may have run there until then, and have written to its disks.
      return isTargetOff ? outrun : { kind: 'unknown' };
  }
}

function fateOfHalf({ target, isDetected, isTargetOff }: FateFacts): Fate {
  switch (target) {
    case 'running':
    case 'paused':
      return { kind: 'moved' };
    case 'post-copy':
    case 'held':
      return { kind: 'wait' };
    case 'broken':
      return { kind: 'recoverable' };
    case 'off':
    case 'failed':
    case 'absent':
      return HALF_LOST;
    case 'unreachable':
      if (isDetected) return { kind: 'unknown' };
      return isTargetOff ? HALF_LOST : { kind: 'unknown' };
  }
}

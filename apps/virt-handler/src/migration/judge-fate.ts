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
  /** Whether the target was proven to be without power since the migration began. */
  readonly isTargetOff: boolean;
}

export type Fate =
  /** It runs at the target; what is left here goes. */
  | { readonly kind: 'moved' }
  /** It is here; if it stands still for the migration alone, it is to go on. */
  | { readonly kind: 'stayed'; readonly needsResume: boolean }
  /** Half of it is lost: it can run nowhere. */
  | { readonly kind: 'lost' }
  /** Both ends have their half and wait for each other. */
  | { readonly kind: 'recoverable' }
  /** It becomes clear by itself. */
  | { readonly kind: 'wait' }
  /** Nobody can tell: it must run nowhere until the target has been heard, or was proven to be off. */
  | { readonly kind: 'unknown' };

/** Judges where a guest is after a migration that did not say how it ended. Never lets both ends run it. */
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
      if (!mayHaveMoved && target !== 'running') return { kind: 'stayed', needsResume: source === 'held' };
      return fateByTarget(facts);
    case 'post-copy':
    case 'broken':
      return fateOfHalf(facts);
  }
}

function fateByTarget({ source, target, isPostCopy, isDetected, isTargetOff }: FateFacts): Fate {
  const stayed: Fate = { kind: 'stayed', needsResume: source === 'held' };
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
    case 'off':
    case 'absent':
      return isDetected ? { kind: 'moved' } : stayed;
    case 'unreachable':
      if (isDetected) return { kind: 'moved' };
      return isTargetOff ? stayed : { kind: 'unknown' };
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
    case 'absent':
      return { kind: 'lost' };
    case 'unreachable':
      if (isDetected) return { kind: 'unknown' };
      return isTargetOff ? { kind: 'lost' } : { kind: 'unknown' };
  }
}

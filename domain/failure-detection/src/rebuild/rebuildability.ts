import type { LostInstance } from '../incident/incident-facts.ts';

/** Whether a lost instance is rebuilt, and if not, why. */
export type Rebuildability =
  | { readonly kind: 'yes' }
  /** Its state may pass by itself: the other end of a move may decide, or what was begun with it end. */
  | { readonly kind: 'later' }
  | { readonly kind: 'skip'; readonly message: string }
  | { readonly kind: 'no' };

/** Says what is done about a lost instance. What its compute system cannot rebuild, and does not pass, is for a person. */
export function rebuildability({ isRelevant, canBeRebuilt, state, stateText }: LostInstance): Rebuildability {
  if (!isRelevant) return { kind: 'skip', message: 'it is not meant to be rebuilt' };
  if (canBeRebuilt) return { kind: 'yes' };
  switch (state) {
    case 'shelved':
    case 'deleting':
      return { kind: 'skip', message: `it is ${stateText}, so there is nothing to rebuild` };
    case 'building':
    case 'moving':
    case 'busy':
      return { kind: 'later' };
    case 'running':
    case 'stopped':
    case 'failed':
    case 'paused':
    case 'suspended':
    case 'rescued':
    case 'unconfirmed':
      return { kind: 'no' };
  }
}

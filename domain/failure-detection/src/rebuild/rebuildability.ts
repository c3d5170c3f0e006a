import type { LostInstance } from '../incident/incident-facts.ts';

/** Whether a lost instance is rebuilt, and if not, why. */
export type Rebuildability =
  | { readonly kind: 'yes' }
  | { readonly kind: 'skip'; readonly message: string }
  | { readonly kind: 'no'; readonly message: string };

/** Says what a compute system can rebuild: what ran, stood still or had failed. The rest is for a person. */
export function rebuildability({ isRelevant, state, stateText }: LostInstance): Rebuildability {
  if (!isRelevant) return { kind: 'skip', message: 'it is not meant to be rebuilt' };
  switch (state) {
    case 'running':
    case 'stopped':
    case 'failed':
    case 'busy':
      return { kind: 'yes' };
    case 'shelved':
    case 'deleting':
      return { kind: 'skip', message: `it is ${stateText}, so there is nothing to rebuild` };
    case 'paused':
    case 'suspended':
    case 'rescued':
    case 'building':
    case 'moving':
    case 'unconfirmed':
      return { kind: 'no', message: `it is ${stateText}, which cannot be rebuilt; reset its state first` };
  }
}

import type { ComputeInstance, ComputeMove } from '@smalt/compute';

import type { EvictionLimits } from './eviction-limits.ts';
import type { EvictionHappening, EvictionStep, MoveAnswer } from './eviction-plan.ts';
import type { RememberedInstance } from './remembered-instance.ts';

/** All that is known of one instance that is on the host. */
export interface InstanceSight {
  readonly instance: ComputeInstance;
  /** Its newest move. */
  readonly move: ComputeMove | undefined;
  readonly memory: RememberedInstance | undefined;
  readonly answer: MoveAnswer | undefined;
  readonly limits: EvictionLimits;
  readonly now: number;
}

/** What is to be done about one instance. */
export type Judgement =
  /** It has left. */
  | { readonly kind: 'left'; readonly happening: EvictionHappening }
  /** It can be moved now. */
  | { readonly kind: 'ready'; readonly how: 'live' | 'cold'; readonly memory: RememberedInstance | undefined }
  /** Its turn is not now, whatever the limits: it is on its way, waits, or stays. */
  | {
      readonly kind: 'held';
      readonly memory: RememberedInstance;
      readonly step?: EvictionStep;
      readonly happening?: EvictionHappening;
    };

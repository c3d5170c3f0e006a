import type { ComputeInstance, ComputeMove } from '@smalt/compute';

import { hostLimit } from './eviction-limits.ts';
import type { EvictionView } from './eviction-plan.ts';

type SlotView = Pick<EvictionView, 'limits' | 'hostTraits' | 'others' | 'targets'>;

/** How many more moves may begin: counts those under way against all limits. */
export class MoveSlots {
  readonly #view: SlotView;
  readonly #perTarget = new Map<string, number>();
  readonly #perTrait = new Map<string, number>();
  #count = 0;
  /** Moves of which the target is not known yet: they may go to any. */
  #unplaced = 0;

  constructor(view: SlotView) {
    this.#view = view;
  }

  /** Counts a move that is under way or begins. */
  take(instance: ComputeInstance | undefined, move: ComputeMove | undefined): void {
    this.#count += 1;
    const target = move?.targetName;
    if (target === undefined) this.#unplaced += 1;
    else this.#perTarget.set(target, (this.#perTarget.get(target) ?? 0) + 1);
    for (const trait of instance?.requiredTraits ?? []) {
      this.#perTrait.set(trait, (this.#perTrait.get(trait) ?? 0) + 1);
    }
  }

  /** Whether one more may begin; if not, whether it would if other evictions had no moves under way. */
  roomFor(instance: ComputeInstance): 'room' | 'full' | 'full-of-others' {
    const { limits, hostTraits, others } = this.#view;
    if (this.#count >= hostLimit(limits, hostTraits) || this.#count >= limits.overall) return 'full';
    if (!this.#hasRoomForTraits(instance) || !this.#hasRoomAtTargets(instance, () => 0)) return 'full';
    const isBelow = this.#count + others.count < limits.overall;
    return isBelow && this.#hasRoomAtTargets(instance, (name) => others.to(name)) ? 'room' : 'full-of-others';
  }

  #hasRoomForTraits({ requiredTraits }: ComputeInstance): boolean {
    const { perTrait } = this.#view.limits;
    return requiredTraits.every((trait) => {
      const limit = perTrait[trait];
      return limit === undefined || (this.#perTrait.get(trait) ?? 0) < Math.max(1, limit);
    });
  }

  #hasRoomAtTargets({ id }: ComputeInstance, othersTo: (name: string) => number): boolean {
    const { limits, targets } = this.#view;
    const possible = targets.get(id);
    // Where nothing is known of the targets, the compute system has the last word anyway.
    if (possible === undefined || possible.length === 0) return true;
    const free = possible.map(({ name }) => limits.perTarget - othersTo(name) - (this.#perTarget.get(name) ?? 0));
    return free.reduce((sum, each) => sum + Math.max(0, each), 0) > this.#unplaced;
  }
}

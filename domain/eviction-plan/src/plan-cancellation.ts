import type { EvictionPlan, EvictionStep, EvictionView } from './eviction-plan.ts';
import { planMoves } from './plan-moves.ts';
import { isUnderWay, newestMoves } from './newest-moves.ts';
import { CANCELLED, timeText } from './remember.ts';
import { isInFlight, type RememberedInstance } from './remembered-instance.ts';

export interface CancellationPlan {
  readonly plan: EvictionPlan;
  /** Whether nothing that we began is under way any more. */
  readonly isOver: boolean;
}

/**
 * Plans how to stop an eviction: nothing new is begun, live moves that we began are stopped or awaited, and cold ones,
 * which nothing can stop, are confirmed when they arrive.
 */
export function planCancellation(view: EvictionView, onCancel: 'abort' | 'finish'): CancellationPlan {
  const plan = planMoves({ ...view, mayStart: false });
  const newest = newestMoves(view.moves);
  const steps: EvictionStep[] = [...plan.steps];
  const remembered = plan.remembered.map((memory): RememberedInstance => {
    const move = newest.get(memory.id);
    const isOurs = memory.attempts > 0 && memory.state === 'Moving';
    if (onCancel === 'finish' || !isOurs || !isUnderWay(move) || !move.isLive) return memory;
    steps.push({ kind: 'abort', instanceId: memory.id, move });
    return { ...memory, state: 'Aborting', since: timeText(view.now), message: CANCELLED };
  });
  const isOver = !remembered.some((memory) => memory.attempts > 0 && isInFlight(memory));
  return { plan: { ...plan, steps, remembered }, isOver };
}

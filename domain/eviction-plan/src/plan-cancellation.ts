import type { EvictionPlan, EvictionStep, EvictionView } from './eviction-plan.ts';
import { planMoves } from './plan-moves.ts';
import { isUnderWay, newestMoves } from './newest-moves.ts';
import { CANCELLED, timeText } from './remember.ts';
import { isInFlight, type RememberedInstance } from './remembered-instance.ts';

export interface CancellationPlan {
  readonly plan: EvictionPlan;
  /** Whether nothing that we began is under way any more. */
  readonly isOver: boolean;
  /** Whether some of it is cold: nothing can stop that, and whoever leaves it alone leaves it unconfirmed. */
  readonly isCold: boolean;
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
  const isColdMove = (id: string): boolean => newest.get(id)?.isLive === false;
  const open = remembered.filter((memory) => {
    const isOpen = isInFlight(memory) || (isColdMove(memory.id) && isUnderWay(newest.get(memory.id)));
    return memory.attempts > 0 && isOpen;
  });
  const isCold = open.some(({ id, state }) => state === 'Confirming' || isColdMove(id));
  return { plan: { ...plan, steps, remembered }, isOver: open.length === 0, isCold };
}

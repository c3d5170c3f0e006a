import type { ComputeInstance, ComputeMove } from '@smalt/compute';

import type { EvictionCounts, EvictionPlan, EvictionStep, EvictionView } from './eviction-plan.ts';
import { judgeAbsence } from './judge-absence.ts';
import { judgeInstance } from './judge-instance.ts';
import type { Judgement } from './judgement.ts';
import { missingInstances } from './missing-instances.ts';
import { MoveSlots } from './move-slots.ts';
import { isUnderWay, newestMoves } from './newest-moves.ts';
import { blank, remember, timeText } from './remember.ts';
import { isGivenUp, type RememberedInstance } from './remembered-instance.ts';

interface Judged {
  readonly id: string;
  /** Undefined when it is gone. */
  readonly instance: ComputeInstance | undefined;
  readonly judgement: Judgement;
}

/**
 * Plans what to do next to empty a host, from what the compute system says now and what is remembered. Whoever carries
 * it out writes down `remembered` first, so that nothing is asked for twice, and tells the next plan which requests failed.
 *
 * No more moves are begun than the limits allow. The compute system chooses targets, so the limit per target means: no
 * move is begun for which all targets have their fill.
 */
export function planMoves(view: EvictionView): EvictionPlan {
  const newest = newestMoves(view.moves);
  const judged = judgeAll(view, newest);
  const staying = judged.filter(({ judgement }) => judgement.kind !== 'left');
  const { started, waitsForMoves } = view.mayStart ? chooseStarts(view, staying, newest) : NO_STARTS;
  const remembered = staying.flatMap((each) => memoryOf(each, started.get(each.id)) ?? []);
  const outstanding = orderForStatus(staying);
  const happenings = judged.flatMap(({ judgement }) =>
    'happening' in judgement && judgement.happening !== undefined ? [judgement.happening] : [],
  );
  return {
    steps: [...stepsOf(staying), ...[...started.values()].map(({ step }) => step)],
    remembered,
    outstanding,
    outstandingMemoryMiB: sumOfMemory(staying),
    counts: countAll(view, outstanding, remembered),
    happenings,
    open: staying.flatMap(({ id }) => {
      const move = newest.get(id);
      return isUnderWay(move) ? [move] : [];
    }),
    waitingMemoryMiB: sumOfMemory(staying.filter(({ id, judgement }) => judgement.kind === 'ready' || started.has(id))),
    waitsForMoves,
  };
}

function judgeAll(view: EvictionView, newest: ReadonlyMap<string, ComputeMove>): readonly Judged[] {
  const { instances, remembered, answers, elsewhere, limits, now, hostName } = view;
  const memories = new Map(remembered.map((memory) => [memory.id, memory]));
  // A page that came twice must not make two of one.
  const present = new Map(instances.map((instance) => [instance.id, instance]));
  const judged: Judged[] = [];
  for (const [id, instance] of present) {
    const sight = { move: newest.get(id), memory: memories.get(id), answer: answers.get(id), limits, now };
    judged.push({ id, instance, judgement: judgeInstance({ ...sight, instance }) });
  }
  for (const id of missingInstances(view)) {
    const found = elsewhere.get(id);
    const memory = memories.get(id);
    const sight = { move: newest.get(id), memory, answer: answers.get(id), limits, now };
    // The list was older than this, or cut short.
    const isHere = found !== undefined && (found.hostName === hostName || found.hypervisorHostname === hostName);
    const judgement = isHere ? judgeInstance({ ...sight, instance: found }) : judgeAbsence({ ...sight, id, found });
    judged.push({ id, instance: found, judgement });
  }
  return judged;
}

interface Start {
  readonly memory: RememberedInstance;
  readonly step: EvictionStep;
}

interface Starts {
  readonly started: ReadonlyMap<string, Start>;
  readonly waitsForMoves: number;
}

const NO_STARTS: Starts = { started: new Map(), waitsForMoves: 0 };

/** The largest first, so that they find room, and those that failed before after the others. */
function chooseStarts(
  view: EvictionView,
  staying: readonly Judged[],
  newest: ReadonlyMap<string, ComputeMove>,
): Starts {
  const slots = new MoveSlots(view);
  for (const { id, instance, judgement } of staying) {
    if (judgement.kind === 'held' && isTakingSlot(judgement.memory)) slots.take(instance, newest.get(id));
  }
  const started = new Map<string, Start>();
  let waitsForMoves = 0;
  for (const { id, instance, judgement } of staying.toSorted(byTurn)) {
    if (judgement.kind !== 'ready' || instance === undefined) continue;
    const room = slots.roomFor(instance);
    if (room === 'full-of-others') waitsForMoves = view.others.count;
    if (room !== 'room') continue;
    slots.take(instance, undefined);
    const memory = begin(instance, judgement.memory, { move: newest.get(id), now: view.now });
    const kind = judgement.how === 'live' ? 'start-live' : 'start-cold';
    started.set(id, { memory, step: { kind, instanceId: id } });
  }
  return { started, waitsForMoves };
}

function begin(
  instance: ComputeInstance,
  memory: RememberedInstance | undefined,
  { move, now }: { readonly move: ComputeMove | undefined; readonly now: number },
): RememberedInstance {
  const { message, move: _, ...rest } = memory ?? blank(instance);
  return remember(instance, {
    ...rest,
    state: 'Moving',
    attempts: rest.attempts + 1,
    since: timeText(now),
    ...(message !== undefined && { message: `last time: ${message}` }),
    ...(move !== undefined && { move: move.id }),
  });
}

/** A cold move that waits for confirmation has let go of the host. */
function isTakingSlot({ state }: RememberedInstance): boolean {
  return state === 'Moving' || state === 'Aborting';
}

function byTurn(a: Judged, b: Judged): number {
  return (
    attemptsOf(a) - attemptsOf(b) ||
    (b.instance?.memoryMiB ?? 0) - (a.instance?.memoryMiB ?? 0) ||
    (a.id < b.id ? -1 : 1)
  );
}

function attemptsOf({ judgement }: Judged): number {
  return judgement.kind === 'left' ? 0 : (judgement.memory?.attempts ?? 0);
}

function memoryOf({ judgement }: Judged, start: Start | undefined): RememberedInstance | undefined {
  if (start !== undefined) return start.memory;
  return judgement.kind === 'left' ? undefined : judgement.memory;
}

function stepsOf(staying: readonly Judged[]): readonly EvictionStep[] {
  return staying.flatMap(({ judgement }) =>
    judgement.kind === 'held' && judgement.step !== undefined ? [judgement.step] : [],
  );
}

/** Existing tools take the last one for the next one: those that stay come first. */
function orderForStatus(staying: readonly Judged[]): readonly string[] {
  const rank = ({ judgement }: Judged): number =>
    judgement.kind === 'held' && isGivenUp(judgement.memory) ? 0 : judgement.kind === 'held' ? 2 : 1;
  return staying.toSorted((a, b) => rank(a) - rank(b) || byTurn(b, a)).map(({ id }) => id);
}

function countAll(
  view: EvictionView,
  outstanding: readonly string[],
  remembered: readonly RememberedInstance[],
): EvictionCounts {
  const present = new Set(outstanding);
  const moved = view.moved + view.outstanding.filter((id) => !present.has(id)).length;
  const failed = remembered.filter(isGivenUp).length;
  const moving = remembered.filter(({ state }) => state !== 'Waiting').length - failed;
  return { total: moved + outstanding.length, moved, moving, left: outstanding.length, failed };
}

function sumOfMemory(judged: readonly Judged[]): number {
  return judged.reduce((sum, { instance }) => sum + (instance?.memoryMiB ?? 0), 0);
}

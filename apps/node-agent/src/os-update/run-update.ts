import { type Clock, WakeUp } from '@smalt/controller-runtime';
import type { Systemd, UnitState } from '@smalt/systemd';

/** In case systemd forgets to tell. */
const LOOK_MS = 5_000;
/** However often systemd tells. */
const SHORTEST_PAUSE_MS = 50;

export type UpdateSystemd = Pick<Systemd, 'unitStates' | 'watchUnits' | 'startUnit' | 'stopUnit'>;

/** How the unit of an update stands, once its job is done. */
export type UnitVerdict = 'running' | 'finished' | 'failed' | 'stopped' | 'missing';

/**
 * Starts the unit, or joins it where it runs already, and resolves when it has ended: with nothing after a success, else
 * with why it failed. Ends its wait, not the unit, when the signal fires.
 */
export async function runUpdate(
  systemd: UpdateSystemd,
  unit: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  const changed = new WakeUp(clock);
  const watching = ringOnChange(systemd.watchUnits([unit], until), changed);
  // Looked at below, at intervals too: the watch only makes it faster.
  watching.catch(() => undefined);
  try {
    const result = await systemd.startUnit(unit, signal);
    if (result !== 'done') return `${unit} ended with ${result}: see journalctl -u ${unit}`;
    return await untilEnded(systemd, unit, { changed, clock }, until);
  } finally {
    ending.abort();
  }
}

/** Judges a unit whose job is done: one that tells no more than that it was started may still run. */
export function judgeUnit({ activeState, subState, loadState }: UnitState): UnitVerdict {
  if (activeState === 'failed') return 'failed';
  if (activeState === 'inactive') return loadState === 'not-found' ? 'missing' : 'finished';
  // Units that remain after they have ended.
  if (activeState === 'active' && subState === 'exited') return 'finished';
  // A process that ends by itself gets no signal from systemd.
  return subState.startsWith('stop-sig') ? 'stopped' : 'running';
}

async function untilEnded(
  systemd: UpdateSystemd,
  unit: string,
  { changed, clock }: { readonly changed: WakeUp; readonly clock: Clock },
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    const [state] = await systemd.unitStates([unit], signal);
    const verdict = state === undefined ? 'missing' : judgeUnit(state);
    if (verdict === 'finished') return undefined;
    if (verdict !== 'running') return `${unit} ${VERDICTS[verdict]}: see journalctl -u ${unit}`;
    await clock.wait(SHORTEST_PAUSE_MS, signal);
    await changed.wait(LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

const VERDICTS = { failed: 'has failed', stopped: 'was stopped', missing: 'is not there' } as const;

async function ringOnChange(changes: AsyncIterable<unknown>, changed: WakeUp): Promise<void> {
  for await (const _ of changes) changed.ring();
}

import { expect, it } from 'vitest';

import { SessionKeeper } from './session.ts';
import { watchExpiry } from './watch-expiry.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

it('looks at the session when its time is over, and not before', async () => {
  const world = await startWorld({ leftMs: 90_000 });

  world.pass(MINUTE_MS);
  const before = world.looks();
  world.pass(30_000);

  expect([before, world.looks()]).toEqual([0, 1]);
});

it('finds out after a sleep, in which timers stand still', async () => {
  const world = await startWorld({ leftMs: 8 * 60 * MINUTE_MS });

  world.sleep(24 * 60 * MINUTE_MS);
  world.pass(MINUTE_MS);

  expect(world.looks()).toBe(1);
});

it('asks no more than once a minute while the clock of the browser is ahead of the server', async () => {
  const world = await startWorld({ leftMs: -YEAR_MS });

  for (let minute = 0; minute < 5; minute += 1) world.pass(MINUTE_MS);

  expect(world.looks()).toBe(5);
});

it('never waits longer than timers can, and for nothing once nobody is signed in', async () => {
  const world = await startWorld({ leftMs: YEAR_MS });

  const waits = world.waits();
  world.session.ended();

  expect(waits).toEqual([MINUTE_MS]);
  expect(world.waits()).toEqual([]);
});

it('waits for nothing when the server does not say when a session ends', async () => {
  const world = await startWorld({ leftMs: undefined });

  expect(world.waits()).toEqual([]);
});

interface World {
  readonly session: SessionKeeper;
  readonly looks: () => number;
  /** How long each timer waits that was set. */
  readonly waits: () => readonly number[];
  /** Lets so much time go by, as far as the next timer. */
  pass(milliseconds: number): void;
  /** The same, while timers stand still. */
  sleep(milliseconds: number): void;
}

async function startWorld({ leftMs }: { readonly leftMs: number | undefined }): Promise<World> {
  const session = new SessionKeeper();
  const timers = new Map<() => void, number>();
  let [now, looks] = [Date.parse('2026-01-01T00:00:00Z'), 0];
  watchExpiry({
    session,
    look: () => (looks += 1),
    now: () => now,
    later: (run, delayMs) => {
      timers.set(run, delayMs);
      return () => timers.delete(run);
    },
  });
  const expiresAt = leftMs === undefined ? undefined : new Date(now + leftMs).toISOString();
  await session.look({ call: () => Promise.resolve({ user: { name: 'ada' }, expiresAt }) });
  return {
    session,
    looks: () => looks,
    waits: () => [...timers.values()],
    pass: (milliseconds) => {
      now += milliseconds;
      const due = [...timers].filter(([, delayMs]) => delayMs <= milliseconds);
      for (const [run] of due) timers.delete(run);
      for (const [run] of due) run();
    },
    sleep: (milliseconds) => void (now += milliseconds),
  };
}

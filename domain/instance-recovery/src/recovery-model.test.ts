import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { GuestWorld, type Fate, type Happening } from './fixtures/guest-world.ts';
import {
  adoptRecovery,
  defaultInstanceRecoverySettings,
  nextRecovery,
  takeInGoodNews,
  type InstanceRecoverySettings,
  type RecoveryRecord,
} from './index.ts';

const MINUTE = 60_000;
const TICK_MS = 5_000;
const settings: InstanceRecoverySettings = { ...defaultInstanceRecoverySettings, windowMs: 30 * MINUTE, mayMove: true };

describe('an instance and its owner', () => {
  it.each(['crash', 'panic', 'hang', 'stall'] as const)('runs again after a %s, and is forgotten then', (what) => {
    const { world, record } = live(story({ happenings: [{ at: 5 * MINUTE, what }] }));

    expect(world.violations).toEqual([]);
    expect(world.actions).toMatchObject([{ kind: 'restart' }]);
    expect(world.isRunning()).toBe(true);
    expect(record).toBeUndefined();
  });

  it('is left to a person when neither a restart nor a move helps', () => {
    const { world, record } = live(story({ happenings: [{ at: 5 * MINUTE, what: 'crash' }], fates: ['fails'] }));

    expect(world.actions.map(({ kind }) => kind)).toEqual(['restart', 'restart', 'restart', 'move']);
    expect(record).toMatchObject({ state: 'failed', message: expect.stringContaining('web-1') });
  });

  it('is moved, confirmed and started when every restart fails', () => {
    const fates: readonly Fate[] = ['fails', 'fails', 'fails', 'works', 'works', 'works'];

    const { world, record } = live(story({ happenings: [{ at: 5 * MINUTE, what: 'crash' }], fates }));

    const kinds = ['restart', 'restart', 'restart', 'move', 'confirm-move', 'start'];
    expect(world.actions.map(({ kind }) => kind)).toEqual(kinds);
    expect(world.isRunning()).toBe(true);
    expect(record).toBeUndefined();
  });

  it('are never crossed, and it is never restarted too often, wherever the service is killed', () => {
    fc.assert(
      fc.property(anyStory(), (told) => {
        const { world, record } = live(told);

        const restarts = world.actions.filter(({ kind }) => kind === 'restart').map(({ at }) => at);
        const most = Math.max(
          0,
          ...restarts.map((at) => restarts.filter((each) => each >= at && each < at + settings.windowMs).length),
        );
        expect(world.violations).toEqual([]);
        expect(most).toBeLessThanOrEqual(settings.maximumRestarts);
        expect(record?.state === 'failed' && record.message === '').toBe(false);
      }),
      { numRuns: 500, seed: 6 },
    );
  });
});

interface Story {
  readonly happenings: readonly { readonly at: number; readonly what: Happening }[];
  readonly fates: readonly Fate[];
  /** When the service is killed: before it acts, or after. */
  readonly kills: readonly { readonly tick: number; readonly isDone: boolean; readonly clockMs: number }[];
}

/** Two hours on a virtual clock. What was decided is saved before it is done, and a kill loses the rest. */
function live(told: Story): { readonly world: GuestWorld; readonly record: RecoveryRecord | undefined } {
  const world = new GuestWorld(told.fates);
  let record: RecoveryRecord | undefined;
  let clockMs = 0;
  for (let tick = 1; tick <= (120 * MINUTE) / TICK_MS; tick += 1) {
    const now = tick * TICK_MS;
    for (const { at, what } of told.happenings) if (at > now - TICK_MS && at <= now) world.happen(what, now);
    world.advance(now);
    const offset = clockMs;
    const events = world.events().map((event) => ({ ...event, at: event.at + offset }));
    const timing = { settings, now: now + clockMs };
    const facts = world.facts();
    const next = takeInGoodNews(facts.id, record, events, timing) ?? nextRecovery(record, events, facts, timing);
    ({ record } = next);
    const kill = told.kills.find((each) => each.tick === tick);
    if (next.action !== undefined && kill?.isDone !== false) world.act(next.action, now);
    if (kill === undefined) continue;
    ({ clockMs } = kill);
    record = record && adoptRecovery(record, now + clockMs);
  }
  return { world, record };
}

function story(part: Partial<Story>): Story {
  return { happenings: [], fates: ['works'], kills: [], ...part };
}

function anyStory(): fc.Arbitrary<Story> {
  const what = fc.constantFrom(
    ...([
      'crash',
      'crash',
      'panic',
      'hang',
      'stall',
      'owner-stop',
      'owner-start',
      'owner-pause',
      'owner-lock',
    ] as const),
  );
  // What happens close together is where mistakes are.
  const gapMs = fc.oneof(fc.integer({ min: 1, max: MINUTE }), fc.integer({ min: 1, max: 15 * MINUTE }));
  const clockMs = fc.constantFrom(0, -20 * MINUTE, 5_000, 24 * 60 * MINUTE);
  const kill = fc.record({ tick: fc.integer({ min: 1, max: 1_200 }), isDone: fc.boolean(), clockMs });
  return fc.record({
    happenings: fc.array(fc.record({ gapMs, what }), { minLength: 1, maxLength: 14 }).map(inOrder),
    fates: fc.array(fc.constantFrom('works' as const, 'works', 'fails', 'lost', 'refused'), {
      minLength: 1,
      maxLength: 5,
    }),
    kills: fc.array(kill, { maxLength: 4 }),
  });
}

function inOrder(happenings: readonly { gapMs: number; what: Happening }[]): Story['happenings'] {
  let at = 0;
  return happenings.map(({ gapMs, what }) => {
    at += gapMs;
    return { at, what };
  });
}

import { setImmediate as settled } from 'node:timers/promises';

import { beforeEach, describe, expect, it } from 'vitest';

import { ConsoleError } from '../console-error.ts';
import { SessionChecks } from './session-checks.ts';
import type { Session } from './session.ts';

const ONE: Session = { id: 'one', token: 'token of one', expiresAt: Infinity };
const OTHER: Session = { id: 'other', token: 'token of other', expiresAt: Infinity };

interface Wait {
  readonly milliseconds: number;
  readonly pass: () => void;
}

let waits: Wait[];
let asked: string[];
let ignored: string[];
/** What the API server says of a token, if it is not that it knows it. */
let refusals: Map<string, Error>;
let told: string[];
let checks: SessionChecks;

beforeEach(() => {
  [waits, asked, ignored, told, refusals] = [[], [], [], [], new Map()];
  checks = new SessionChecks({
    ask: async (token) => {
      asked.push(token);
      const refusal = refusals.get(token);
      if (refusal !== undefined) throw refusal;
    },
    clock: { now: () => 0, wait },
    ignore: (_error, why) => void ignored.push(why),
    random: () => 0.5,
    everyMs: 1_000,
  });
});

describe('checks of sessions', () => {
  it('ask once per session, however much of it is open, and again and again', async () => {
    using _page = checks.begin(ONE, () => told.push('page'));
    using _tunnel = checks.begin(ONE, () => told.push('tunnel'));
    using _other = checks.begin(OTHER, () => told.push('other'));

    await passAll();
    await passAll();

    expect(asked).toEqual([ONE.token, OTHER.token, ONE.token, OTHER.token]);
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([750, 750]);
    expect(told).toEqual([]);
  });

  it('tell all that is open of a session when its user is not known any more, and nobody else', async () => {
    using _page = checks.begin(ONE, () => told.push('page'));
    using _tunnel = checks.begin(ONE, () => told.push('tunnel'));
    using _other = checks.begin(OTHER, () => told.push('other'));
    refusals.set(ONE.token, new ConsoleError('signed-out', 'who?'));

    await passAll();
    const before = [...told];
    await passAll();
    await passAll();

    expect([before, told]).toEqual([[], ['page', 'tunnel']]);
    expect(asked).toEqual([ONE.token, OTHER.token, ONE.token, OTHER.token, OTHER.token]);
  });

  it('end nothing for one refusal, after which the user is known again, however often that happens', async () => {
    using _page = checks.begin(ONE, () => told.push('page'));

    for (let round = 0; round < 3; round += 1) {
      refusals.set(ONE.token, new ConsoleError('signed-out', 'who?'));
      await passAll();
      refusals.clear();
      await passAll();
    }

    expect([asked.length, told]).toEqual([6, []]);
  });

  it('wait as long for the second question after a refusal as for any other', async () => {
    using _page = checks.begin(ONE, () => told.push('page'));
    refusals.set(ONE.token, new ConsoleError('signed-out', 'who?'));

    await passAll();

    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([750]);
  });

  it('ask at once when there is a doubt, and again when there is another', async () => {
    using _page = checks.begin(ONE, () => told.push('page'));
    using _other = checks.begin(OTHER, () => told.push('other'));

    checks.hasten(ONE);
    checks.hasten(ONE);
    await settled();
    const first = [...asked];
    checks.hasten(ONE);
    await settled();

    expect([first, asked, told]).toEqual([[ONE.token], [ONE.token, ONE.token], []]);
  });

  it('end nothing for one refusal, however many doubts there are: the second question comes at its time', async () => {
    using _page = checks.begin(ONE, () => told.push('page'));
    refusals.set(ONE.token, new ConsoleError('signed-out', 'who?'));

    checks.hasten(ONE);
    await settled();
    checks.hasten(ONE);
    await settled();
    const before = [asked.length, told.length];
    await passAll();

    expect(before).toEqual([1, 0]);
    expect([asked.length, told]).toEqual([2, ['page']]);
  });

  it('take a doubt about a session of which nothing is open for nothing', async () => {
    checks.hasten(ONE);
    await settled();

    expect(asked).toEqual([]);
  });

  it('take an API server that is away for no answer', async () => {
    using _page = checks.begin(ONE, () => told.push('page'));
    refusals.set(ONE.token, new ConsoleError('unavailable', 'it is away'));

    await passAll();
    refusals.set(ONE.token, new ConsoleError('signed-out', 'who?'));
    await passAll();
    refusals.set(ONE.token, new ConsoleError('unavailable', 'it is away'));
    await passAll();
    refusals.set(ONE.token, new ConsoleError('signed-out', 'who?'));
    await passAll();
    const before = [...told];
    await passAll();

    expect([before, told]).toEqual([[], ['page']]);
    expect(new Set(ignored)).toEqual(new Set(['whether a user is still known is asked again']));
  });

  it('end with the last that is open, and begin anew with the next', async () => {
    const page = checks.begin(ONE, () => told.push('page'));
    const tunnel = checks.begin(ONE, () => told.push('tunnel'));
    page[Symbol.dispose]();
    await passAll();
    tunnel[Symbol.dispose]();
    await passAll();
    const before = asked.length;
    using _again = checks.begin(ONE, () => told.push('again'));
    refusals.set(ONE.token, new ConsoleError('signed-out', 'who?'));
    await passAll();
    await passAll();

    expect([before, asked.length, told]).toEqual([1, 3, ['again']]);
  });
});

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waits.push({ milliseconds, pass: resolve });
  signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  await promise;
}

/** Lets all that wait go on, until they wait again. */
async function passAll(): Promise<void> {
  for (const { pass } of waits.splice(0)) pass();
  await settled();
}

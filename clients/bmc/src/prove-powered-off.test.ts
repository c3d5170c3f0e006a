import { makeAuthority, startRedfish } from '@smalt/bed-redfish';
import { describe, expect, it } from 'vitest';

import { BmcError, type BmcErrorCode } from './bmc-error.ts';
import { systemClock, type Clock } from './clock.ts';
import { controllerOf } from './fixtures/controller-of.ts';
import type { PowerController, PowerState } from './power-controller.ts';
import { isProof, provePoweredOff, type ProofOptions } from './prove-powered-off.ts';

const never = new AbortController().signal;
const OPTIONS: ProofOptions = { readings: 3, intervalMs: 1000, deadlineMs: 10_000 };

describe('isProof', () => {
  it.each([
    { states: [], proof: false },
    { states: ['off', 'off'], proof: false },
    { states: ['off', 'off', 'off'], proof: true },
    { states: ['on', 'powering-off', 'off', 'off', 'off'], proof: true },
    { states: ['off', 'off', 'unknown'], proof: false },
    { states: ['off', 'unknown', 'off'], proof: false },
    { states: ['off', 'off', 'off', 'on'], proof: false },
    { states: ['off', 'off', 'powering-off'], proof: false },
    { states: ['off', 'off', 'paused'], proof: false },
  ] as const)('is $proof for $states', ({ states, proof }) => {
    expect(
      isProof(
        states.map((state) => ({ state })),
        3,
      ),
    ).toBe(proof);
  });
});

describe('provePoweredOff', () => {
  it('keeps the time, the way and the state of each reading', async () => {
    const clock = virtualClock();

    const proof = await provePoweredOff(scripted(['powering-off', 'off', 'off', 'off']), OPTIONS, clock, never);

    expect(proof).toEqual({
      kind: 'proven',
      evidence: [
        { at: '2026-01-01T00:00:00.000Z', method: 'script', state: 'powering-off' },
        { at: '2026-01-01T00:00:01.000Z', method: 'script', state: 'off' },
        { at: '2026-01-01T00:00:02.000Z', method: 'script', state: 'off' },
        { at: '2026-01-01T00:00:03.000Z', method: 'script', state: 'off' },
      ],
    });
  });

  it.each([
    { name: 'a host that stays on', script: ['on'] },
    { name: 'a controller that changes its mind', script: ['off', 'off', 'on', 'off', 'off', 'unknown'] },
    { name: 'a controller that does not know', script: ['unknown'] },
    { name: 'a controller that is lost now and then', script: ['off', 'off', 'unreachable'] },
    { name: 'a host that is paused', script: ['paused'] },
  ] as const)('finds no proof in $name', async ({ script }) => {
    const proof = await provePoweredOff(scripted(script), OPTIONS, virtualClock(), never);

    expect(proof).toMatchObject({
      kind: 'unproven',
      reason: 'not every one of the last 3 readings was off in time',
      evidence: { length: 10 },
    });
  });

  it('starts to count anew after a reading that failed', async () => {
    const script = ['off', 'off', 'timeout', 'off', 'off', 'off'] as const;

    const proof = await provePoweredOff(scripted(script), OPTIONS, virtualClock(), never);

    expect(proof.kind).toBe('proven');
    expect(proof.evidence[2]).toMatchObject({ state: 'unknown', problem: 'timeout: scripted' });
  });

  it('does not ask again with a password that was refused', async () => {
    const proof = await provePoweredOff(scripted(['unauthorized', 'off']), OPTIONS, virtualClock(), never);

    expect(proof).toMatchObject({ kind: 'unproven', reason: 'scripted', evidence: { length: 1 } });
  });

  it('leaves a driver behind that hangs and does not heed its signal', async () => {
    const hanging = { ...scripted([]), readPower: () => Promise.withResolvers<never>().promise };

    const proof = await provePoweredOff(hanging, OPTIONS, virtualClock(), never);

    expect(proof).toMatchObject({ kind: 'unproven', evidence: [] });
  });

  it('takes an error of any other kind for an unknown state', async () => {
    const broken = { ...scripted([]), readPower: () => Promise.reject(new Error('no such field')) };

    const proof = await provePoweredOff(broken, OPTIONS, virtualClock(), never);

    expect(proof.kind).toBe('unproven');
    expect(proof.evidence[0]).toMatchObject({ state: 'unknown', problem: 'bad-answer: script: no such field' });
  });

  it('throws when the caller gives up', async () => {
    const giveUp = new AbortController();
    const controller = scripted(['off']);
    const readPower: PowerController['readPower'] = (signal) => {
      giveUp.abort();
      return controller.readPower(signal);
    };

    const proof = provePoweredOff({ ...controller, readPower }, OPTIONS, virtualClock(), giveUp.signal);

    await expect(proof).rejects.toMatchObject({ code: 'aborted' });
  });

  it.each([
    { wrong: { readings: 1 }, named: 'readings' },
    { wrong: { readings: 2.5 }, named: 'readings' },
    { wrong: { intervalMs: 0 }, named: 'intervalMs' },
    { wrong: { deadlineMs: Number.NaN }, named: 'deadlineMs' },
    { wrong: { deadlineMs: 2000 }, named: 'deadlineMs' },
  ])('refuses $wrong', async ({ wrong, named }) => {
    const proof = provePoweredOff(scripted(['off']), { ...OPTIONS, ...wrong }, virtualClock(), never);

    await expect(proof).rejects.toMatchObject({ code: 'bad-setting', message: expect.stringContaining(named) });
  });

  it('proves over the wire that a slow host went off, with a session for each reading', async () => {
    await using authority = await makeAuthority();
    await using bmc = await startRedfish({ authority });
    for (const host of bmc.systems) host.slowness = 2;
    await using controller = controllerOf(bmc, authority);

    await controller.powerOff(never);
    const options = { readings: 3, intervalMs: 5, deadlineMs: 20_000 };
    const proof = await provePoweredOff(controller, options, systemClock, never);

    expect(proof.kind).toBe('proven');
    expect(proof.evidence.map(({ state }) => state)).toEqual(['powering-off', 'powering-off', 'off', 'off', 'off']);
    expect(bmc.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(6);
  });

  it('finds no proof at a controller that accepts everything and does nothing', async () => {
    await using authority = await makeAuthority();
    await using bmc = await startRedfish({ authority });
    bmc.answering = ({ path }, response) => (path.endsWith('.Reset') ? void response.writeHead(204).end() : 'as-usual');
    await using controller = controllerOf(bmc, authority);

    await controller.powerOff(never);
    const options = { readings: 2, intervalMs: 5, deadlineMs: 500 };
    const proof = await provePoweredOff(controller, options, systemClock, never);

    expect(proof.kind).toBe('unproven');
    expect(new Set(proof.evidence.map(({ state }) => state))).toEqual(new Set(['on']));
  });
});

/** Gives these readings in turn, then from the start again; a code of an error is thrown. */
function scripted(script: readonly (PowerState | BmcErrorCode)[]): PowerController {
  let turn = 0;
  const states: readonly string[] = ['on', 'off', 'powering-on', 'powering-off', 'paused', 'unknown'];
  const isState = (word: string): word is PowerState => states.includes(word);
  return {
    method: 'script',
    readPower: () => {
      const word = script[turn++ % script.length] ?? 'unknown';
      if (isState(word)) return Promise.resolve({ state: word, method: 'script' });
      return Promise.reject(new BmcError(word, 'scripted'));
    },
    powerOff: () => Promise.resolve(),
    powerOn: () => Promise.resolve(),
  };
}

/** A clock that goes on by itself to the next moment that somebody waits for, once everybody waits. */
function virtualClock(): Clock {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const waiting = new Set<{ readonly until: number; readonly wake: () => void }>();
  let nowMs = 0;
  const goOn = (): void => {
    const [next] = [...waiting].toSorted((one, other) => one.until - other.until);
    if (next === undefined) return;
    nowMs = next.until;
    waiting.delete(next);
    next.wake();
  };
  return {
    now: () => nowMs,
    date: () => new Date(start + nowMs),
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const entry = { until: nowMs + milliseconds, wake: resolve };
        waiting.add(entry);
        signal.addEventListener('abort', () => {
          waiting.delete(entry);
          reject(new Error('aborted', { cause: signal.reason }));
        });
        // After everything that is ready to run.
        setImmediate(goOn);
      }),
  };
}

import { describe, expect, it } from 'vitest';

import { ManualClock } from './fixtures/manual-clock.ts';
import { decideLiveness, Liveness } from './liveness.ts';

const limits = { echoMs: 100, echoTimeoutMs: 30, silentLimitMs: 1000 };

describe('decideLiveness', () => {
  it.each([
    { view: { now: 0, heardAt: 0, askedAt: undefined }, step: { kind: 'wait', forMs: 100 } },
    { view: { now: 150, heardAt: 60, askedAt: undefined }, step: { kind: 'wait', forMs: 10 } },
    { view: { now: 100, heardAt: 0, askedAt: undefined }, step: { kind: 'ask' } },
    { view: { now: 120, heardAt: 0, askedAt: 100 }, step: { kind: 'wait', forMs: 10 } },
    { view: { now: 130, heardAt: 0, askedAt: 100 }, step: { kind: 'silent', forMs: 1000 } },
    { view: { now: 1129, heardAt: 0, askedAt: 100 }, step: { kind: 'silent', forMs: 1 } },
    { view: { now: 1130, heardAt: 0, askedAt: 100 }, step: { kind: 'dead' } },
  ])('says $step.kind at $view.now', ({ view, step }) => {
    expect(decideLiveness(view, limits)).toEqual(step);
  });
});

describe('Liveness', () => {
  it('asks a quiet connection, and does not ask one that talks', () => {
    const { clock, liveness, told } = watch();

    clock.advance(90);
    liveness.heard();
    clock.advance(90);
    const whileTalking = [...told];
    clock.advance(10);

    expect([whileTalking, told]).toEqual([[], ['asked at 190']]);
  });

  it('tells silence once, with the time it asked at, and that it was heard again', () => {
    const { clock, liveness, told } = watch();

    clock.advance(800);
    liveness.heard();
    clock.advance(50);

    expect(told).toEqual(['asked at 100', 'silent since 100', 'heard again at 800']);
  });

  it('says nothing when the answer comes in time', () => {
    const { clock, liveness, told } = watch();

    clock.advance(129);
    liveness.heard();
    clock.advance(99);

    expect(told).toEqual(['asked at 100']);
  });

  it('gives a connection up that stays silent, and sets no timer any more', () => {
    const { clock, told } = watch();

    clock.advance(5000);

    expect([told.at(-1), clock.waiting]).toEqual(['dead at 1130', 0]);
  });

  it('leaves no timer when it is disposed of', () => {
    const { clock, liveness } = watch();

    liveness[Symbol.dispose]();

    expect(clock.waiting).toBe(0);
  });
});

function watch(): { clock: ManualClock; liveness: Liveness; told: string[] } {
  const clock = new ManualClock();
  const told: string[] = [];
  const liveness = new Liveness({
    clock,
    limits,
    ask: () => told.push(`asked at ${clock.now()}`),
    onSilent: (since) => told.push(`silent since ${since}`),
    onHeardAgain: () => told.push(`heard again at ${clock.now()}`),
    onDead: () => told.push(`dead at ${clock.now()}`),
  });
  return { clock, liveness, told };
}

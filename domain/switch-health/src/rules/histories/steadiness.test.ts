import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { advanceSteadiness, isComingAndGoing, nextChange, type Fault, type Steadiness } from './steadiness.ts';

const settings = { settleMs: 10, recoveryMs: 5, longestRecoveryMs: 30 };
const degraded: Fault = { severity: 'Warning', word: 'degraded', troubles: 'eno1 carries no traffic' };
const down: Fault = { severity: 'Critical', word: 'down', troubles: 'eno1 and eno2 carry no traffic' };

type Look = readonly [at: number, fault: Fault | 'unseen' | undefined, restartedAt?: number];

describe('advanceSteadiness', () => {
  it.each<[string, readonly Look[], Fault | undefined]>([
    [
      'tells a fault at once',
      [
        [0, undefined],
        [20, degraded],
      ],
      degraded,
    ],
    [
      'lets something new settle first',
      [
        [0, undefined],
        [9, degraded],
      ],
      undefined,
    ],
    [
      'tells what does not settle',
      [
        [0, degraded],
        [9, degraded],
        [10, degraded],
      ],
      degraded,
    ],
    [
      'lets all settle under another ovs-vswitchd',
      [
        [0, undefined],
        [20, degraded, 19],
      ],
      undefined,
    ],
    [
      'keeps what it told over a restart',
      [
        [0, undefined],
        [20, degraded],
        [25, down, 24],
      ],
      down,
    ],
    [
      'keeps a fault that has just gone',
      [
        [0, undefined],
        [20, degraded],
        [30, undefined],
        [34, undefined],
      ],
      degraded,
    ],
    [
      'lets it go once that has held',
      [
        [0, undefined],
        [20, degraded],
        [30, undefined],
        [35, undefined],
      ],
      undefined,
    ],
    [
      'holds longer after a relapse',
      [
        [0, undefined],
        [20, down],
        [30, undefined],
        [34, down],
        [36, undefined],
        [45, undefined],
      ],
      down,
    ],
    [
      'and not for ever',
      [
        [0, undefined],
        [20, down],
        [30, undefined],
        [34, down],
        [36, undefined],
        [46, undefined],
      ],
      undefined,
    ],
    [
      'does not count what nobody saw',
      [
        [0, undefined],
        [20, down],
        [30, undefined],
        [34, 'unseen'],
        [36, undefined],
      ],
      down,
    ],
    [
      'says how it is when it gets better for good',
      [
        [0, undefined],
        [20, down],
        [40, degraded],
      ],
      degraded,
    ],
  ])('%s', (_what, looks, told) => {
    expect(after(looks)?.told).toEqual(told);
  });

  it('keeps the worst of what comes and goes, so that it stays one issue', () => {
    const flapping: Look[] = [
      [20, down],
      [21, undefined],
      [22, degraded],
    ];

    expect(after([[0, undefined], ...flapping])?.told).toEqual({ ...degraded, severity: 'Critical', word: 'down' });
  });

  it('never waits for longer than its limit', () => {
    const flaps = Array.from({ length: 50 }, (_each, index): Look => [20 + index, index % 2 === 0 ? down : undefined]);
    const last = after([[0, undefined], ...flaps]);

    expect(last && nextChange(last, settings)).toBe(69 + 30);
  });

  it('says the same when it is told the same look twice', () => {
    const look = fc.tuple(
      fc.nat(12),
      fc.constantFrom<Fault | 'unseen' | undefined>(undefined, degraded, down, 'unseen'),
    );

    fc.assert(
      fc.property(fc.array(look), (steps) => {
        let at = 0;
        const looks = steps.map(([ms, fault]): Look => [(at += ms), fault]);

        expect(after(looks.flatMap((each) => [each, each]))).toEqual(after(looks));
      }),
    );
  });
});

describe('isComingAndGoing', () => {
  it.each<[string, readonly Look[], number, boolean]>([
    [
      'not with the first fault',
      [
        [0, undefined],
        [20, down],
      ],
      20,
      false,
    ],
    [
      'not when that is over',
      [
        [0, undefined],
        [20, down],
        [30, undefined],
      ],
      30,
      false,
    ],
    [
      'with the second',
      [
        [0, undefined],
        [20, down],
        [30, undefined],
        [31, down],
      ],
      31,
      true,
    ],
    [
      'until that lasts',
      [
        [0, undefined],
        [20, down],
        [30, undefined],
        [31, down],
      ],
      41,
      false,
    ],
  ])('%s', (_what, looks, at, isSo) => {
    const last = after(looks);

    expect(last && isComingAndGoing(last, at, settings)).toBe(isSo);
  });
});

function after(looks: readonly Look[]): Steadiness | undefined {
  return looks.reduce<Steadiness | undefined>(
    (old, [at, fault, restartedAt]) => advanceSteadiness(old, { at, fault, restartedAt }, settings),
    undefined,
  );
}

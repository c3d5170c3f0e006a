import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { doubtedPulse, isTold, nextPulse, unknownPulse, type GuestPulse } from './guest-pulse.ts';

const NEEDED = 3;
const WORDS = { a: 'answered', m: 'missed', x: 'excused' } as const;

describe('the pulse of a guest', () => {
  it.each([
    { pings: 'aaaa', told: [], why: 'it always answers' },
    { pings: 'mmmmmm', told: [], why: 'it never answered' },
    { pings: 'amm', told: [], why: 'it missed too few' },
    { pings: 'ammamm', told: [], why: 'it answered in between' },
    { pings: 'ammxmm', told: [], why: 'it was excused in between' },
    { pings: 'axxxx', told: [], why: 'it was excused all the time' },
    { pings: 'ammm', told: ['silent 3 since 1'], why: 'it missed three in a row' },
    { pings: 'ammmmmm', told: ['silent 3 since 1'], why: 'the minute is not over' },
    { pings: 'ammmmmmmmm', told: ['silent 3 since 1', 'silent 9 since 1'], why: 'it was silent for another minute' },
    { pings: 'ammma', told: ['silent 3 since 1', 'answers 3 since 1'], why: 'it answers again' },
    { pings: 'ammmmaa', told: ['silent 3 since 1', 'answers 4 since 1'], why: 'the end is told once' },
    { pings: 'ammmxa', told: ['silent 3 since 1', 'answers 3 since 1'], why: 'an excuse does not end a silence' },
    {
      pings: 'ammmammm',
      told: ['silent 3 since 1', 'answers 3 since 1', 'silent 3 since 5'],
      why: 'it fell silent twice',
    },
    { pings: 'a!mmmm', told: [], why: 'it began anew and never answered' },
    { pings: 'amm!am', told: [], why: 'the row ended when it began anew' },
    { pings: 'ammm!mmmmmmmmm', told: ['silent 3 since 1'], why: 'it began anew after its silence' },
    { pings: 'ammm!ma', told: ['silent 3 since 1', 'answers 3 since 1'], why: 'it began anew and answers' },
  ])('tells $told after $pings: $why', ({ pings, told }) => {
    expect(tell(pings)).toEqual(told);
  });

  it('tells silence and answers in turns, and never a silence of one that has not answered', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[amx!]{0,60}$/), (pings) => {
        const states = tell(pings).map((words) => words.split(' ')[0]);

        expect(states.filter((state, index) => state === 'answers' && states[index - 1] !== 'silent')).toEqual([]);
        expect(pings.includes('a') || states.length === 0).toBe(true);
        expect(pings.includes('mmm') || states.length === 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is told to be silent from the first word of it to the answer', () => {
    const silent = run('ammm');

    expect([isTold(run('amm')), isTold(silent), isTold(doubtedPulse(silent)), isTold(run('ammma'))]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

/** What is told while a guest is asked every ten seconds; `!` is a new beginning of the guest or its agent. */
function tell(pings: string): readonly string[] {
  const told: string[] = [];
  run(pings, (words) => told.push(words));
  return told;
}

function run(pings: string, onNews: (words: string) => void = () => undefined): GuestPulse {
  let pulse = unknownPulse;
  let asked = 0;
  for (const letter of pings) {
    if (!isPing(letter)) {
      pulse = doubtedPulse(pulse);
      continue;
    }
    const moment = { milliseconds: asked * 10_000, time: String(asked) };
    const { pulse: after, news } = nextPulse(pulse, WORDS[letter], NEEDED, moment);
    if (news !== undefined) onNews(`${news.state} ${news.misses} since ${news.since}`);
    pulse = after;
    asked++;
  }
  return pulse;
}

function isPing(letter: string): letter is keyof typeof WORDS {
  return Object.hasOwn(WORDS, letter);
}

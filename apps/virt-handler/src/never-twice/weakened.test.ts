import { describe, expect, it } from 'vitest';

import type { Guards } from './fixtures/guards.ts';
import { play, type Happening, type Story } from './fixtures/happenings.ts';
import type { ModelClocks, Name } from './fixtures/model-world.ts';

/** Moments that a migration takes until the guest stands still at both ends. */
const UNTIL_HELD = times(5, 'moment n3');

const stories: readonly {
  readonly guard: keyof Guards;
  readonly what: string;
  readonly words: readonly string[];
  readonly clocks?: ModelClocks;
}[] = [
  { guard: 'needsProof', what: 'silence were proof', words: ['cut n1', 'long-wait n2', 'long-wait n2'] },
  {
    guard: 'proofNamesBoot',
    what: 'a proof were one of a time of another clock',
    clocks: { nodes: [0, 0, 0], service: 600_000 },
    words: ['fence n1', 'minute n1', 'repair n1', ...times(6, 'minute n1'), 'cut n1', 'long-wait n2', 'long-wait n2'],
  },
  {
    guard: 'asksForNodes',
    what: 'a loss were judged by a cache that does not know of the return of a node',
    words: [
      'migrate n2',
      ...times(10, 'moment n3'),
      'fence n1',
      'minute n3',
      'hang-nodes n1',
      'repair n1',
      'minute n3',
      'minute n3',
      'migrate n1',
      ...times(7, 'moment n3'),
      'cut n1',
      'long-wait n3',
    ],
  },
  {
    guard: 'announces',
    what: 'a migration began before the API knows',
    words: ['migrate n2', ...UNTIL_HELD, 'cut n2', 'moment n3', 'moment n3', 'fence n1', 'long-wait n3'],
  },
  {
    guard: 'doubts',
    what: 'a source let go on what it holds whenever the target is silent',
    words: ['migrate n2', ...UNTIL_HELD, 'cut n2', 'moment n3', 'part n2', 'moment n3', 'moment n3', 'moment n3'],
  },
  {
    guard: 'endsOutrun',
    what: 'a source let go on what it holds when the target has run it and lost its power',
    words: [
      'migrate n2',
      ...UNTIL_HELD,
      'cut n2',
      'moment n3',
      'part n2',
      'moment n3',
      'fence n2',
      'moment n3',
      'moment n3',
      'moment n3',
    ],
  },
  {
    guard: 'heedsTests',
    what: 'the API heeded no tests of a controller whose cache is behind',
    words: [
      'migrate n2',
      'moment n3',
      'hang-instances n1',
      ...times(8, 'moment n3'),
      'cut n2',
      'fence n1',
      // Longer than a controller waits for what it wrote itself.
      ...times(4, 'minute n3'),
      'restart-controller n1',
      'long-wait n3',
      'long-wait n3',
    ],
  },
];

describe('the model can fail', () => {
  it.each(stories)('if $what, the guest would meet itself or its older memory', ({ guard, words, clocks }) => {
    const story = storyOf(words, clocks);

    expect(play(story).damages).toEqual([]);
    expect(play(story, { [guard]: false }).damages).not.toEqual([]);
  });
});

function times(count: number, words: string): readonly string[] {
  return Array.from({ length: count }, () => words);
}

function storyOf(words: readonly string[], clocks: ModelClocks = { nodes: [], service: 0 }): Story {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the words are those of the table above
  return { clocks, happenings: words.map((each) => each.split(' ') as [Happening, Name]) };
}

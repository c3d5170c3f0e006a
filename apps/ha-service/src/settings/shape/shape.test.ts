import { describe, expect, it } from 'vitest';

import { list, named } from './list-shapes.ts';
import { section } from './object-shape.ts';
import { choice, file, flag, milliseconds, share, text, whole } from './scalar-shapes.ts';
import { optional, orUndefined, type Shape } from './shape.ts';
import { variant } from './variant-shape.ts';

describe('a section', () => {
  it('fills in what is not said', () => {
    expect(read({ name: 'a' })).toEqual({
      value: {
        name: 'a',
        waitMs: 100,
        isOn: true,
        share: 0.5,
        words: ['x'],
        labels: {},
        zone: undefined,
        way: { by: 'foot' },
      },
      problems: [],
    });
  });

  it('takes what is said', () => {
    const given = {
      name: 'b',
      waitMs: 5,
      isOn: false,
      share: 1,
      words: [],
      labels: { a: 1 },
      zone: 'z',
      note: '/n',
      way: { by: 'car', seats: 4 },
    };

    expect(read(given)).toEqual({ value: given, problems: [] });
  });

  it.each([
    { given: {}, problem: 'name: is missing: give text (what it is called)' },
    { given: { name: '' }, problem: 'name: "" must be text (what it is called)' },
    { given: { name: 'a', nam: 1 }, problem: 'nam: is not known; did you mean "name"?' },
    { given: { name: 'a', quite: 1 }, problem: 'quite: is not known; known are name, waitMs' },
    {
      given: { name: 'a', waitMs: 'soon' },
      problem: 'waitMs: "soon" must be a whole number of at least 1 (a pause, in ms)',
    },
    { given: { name: 'a', waitMs: 1.5 }, problem: 'waitMs: 1.5 must be a whole number' },
    { given: { name: 'a', waitMs: 0 }, problem: 'waitMs: 0 must be a whole number of at least 1' },
    { given: { name: 'a', isOn: 'yes' }, problem: 'isOn: "yes" must be true or false' },
    { given: { name: 'a', share: 2 }, problem: 'share: 2 must be a number from 0 to 1' },
    { given: { name: 'a', words: 'x' }, problem: 'words: "x" must be a list' },
    { given: { name: 'a', words: ['y'] }, problem: 'words[0]: "y" must be x (a word)' },
    { given: { name: 'a', labels: [] }, problem: 'labels: a list must be a mapping of names' },
    { given: { name: 'a', labels: { b: 'c' } }, problem: 'labels.b: "c" must be a whole number from 0 to 9' },
    { given: { name: 'a', note: 'n' }, problem: 'note: "n" must be the path of a file, from the root' },
    { given: { name: 'a', way: { by: 'boat' } }, problem: 'way.by: "boat" must be one of foot, car' },
    { given: { name: 'a', way: { by: 'car' } }, problem: 'way.seats: is missing' },
    { given: { name: 'a', way: { by: 'foot', seats: 1 } }, problem: 'way.seats: is not known' },
    { given: { name: 'a', way: 1 }, problem: 'way: 1 must be a mapping whose by is one of foot, car' },
    { given: [], problem: 'a list must be a mapping' },
  ])('says what is wrong: $problem', ({ given, problem }) => {
    const { problems, value } = read(given);

    expect(value).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it('tells all that is wrong at once', () => {
    expect(read({ waitMs: -1, isOn: 1 }).problems).toHaveLength(3);
  });

  it('takes an empty key for one that is not there', () => {
    expect(read({ name: 'a', way: null, words: null }).problems).toEqual([]);
  });

  it('is not fooled by names that every object has', () => {
    expect(read(JSON.parse('{"name":"a","constructor":1,"__proto__":1}')).problems).toHaveLength(2);
  });

  it('has a line of help for every field', () => {
    expect(shape.lines('').map(({ path }) => path)).toEqual([
      'name',
      'waitMs',
      'isOn',
      'share',
      'words',
      'labels',
      'zone',
      'note',
      'way.by',
      'way.by',
      'way.seats',
    ]);
  });
});

type Way = { readonly by: 'foot' } | { readonly by: 'car'; readonly seats: number };

interface Sample {
  readonly name: string;
  readonly waitMs: number;
  readonly isOn: boolean;
  readonly share: number;
  readonly words: readonly 'x'[];
  readonly labels: Readonly<Record<string, number>>;
  readonly zone: string | undefined;
  readonly note?: string;
  readonly way: Way;
}

const shape: Shape<Sample> = section('a sample', {
  name: text('what it is called'),
  waitMs: milliseconds('a pause', 100, 1),
  isOn: flag('whether it is on', true),
  share: share('a part', 0.5),
  words: list('words', choice(['x'], 'a word'), { fallback: ['x'] }),
  labels: named('labels', whole('a digit', { most: 9 })),
  zone: orUndefined(text('where')),
  note: optional(file('a file')),
  way: variant<Way>(
    'how to go',
    'by',
    {
      foot: section<Extract<Way, { by: 'foot' }>>('on foot', { by: choice(['foot'], 'on foot') }),
      car: section<Extract<Way, { by: 'car' }>>('by car', { by: choice(['car'], 'by car'), seats: whole('seats') }),
    },
    { by: 'foot' },
  ),
});

function read(given: unknown): { readonly value: Sample | undefined; readonly problems: readonly string[] } {
  const problems: string[] = [];
  return { value: shape.read(given, { path: '', problems })?.value, problems };
}

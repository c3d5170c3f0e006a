import { describe, expect, it } from 'vitest';
import { isBadArguments } from './benchmark-error.ts';
import { checkChoices, helpText, parseArguments } from './parse-arguments.ts';

const NAMES = ['libvirt', 'store'];

describe('parseArguments', () => {
  it.each([
    { words: ['libvirt'], command: { kind: 'run', name: 'libvirt', rounds: 31, quick: false } },
    { words: ['store', '--quick'], command: { kind: 'run', name: 'store', rounds: 5, quick: true } },
    { words: ['--quick', 'store', '--rounds', '5'], command: { kind: 'run', name: 'store', rounds: 5, quick: true } },
    { words: ['libvirt', '--rounds=1'], command: { kind: 'run', name: 'libvirt', rounds: 1, quick: false } },
    {
      words: ['store', '--only', 'ours'],
      command: { kind: 'run', name: 'store', rounds: 31, quick: false, only: 'ours' },
    },
    {
      words: ['store', '--sizes', '30,100,200'],
      command: { kind: 'run', name: 'store', rounds: 31, quick: false, sizes: [30, 100, 200] },
    },
    { words: ['--help'], command: { kind: 'help' } },
    { words: ['nothing-of-ours', '-h'], command: { kind: 'help' } },
  ])('reads "$words"', ({ words, command }) => {
    expect(parseArguments(words, NAMES)).toEqual(command);
  });

  it.each([
    { words: [], message: 'name a benchmark; benchmarks: libvirt, store' },
    { words: ['kube'], message: 'no benchmark "kube"; benchmarks: libvirt, store' },
    { words: ['libvirt', 'store'], message: 'one benchmark at a time, not also "store"' },
    { words: ['libvirt', '--rounds', '0'], message: '--rounds: "0" is not a whole number from 1 to 1000' },
    { words: ['libvirt', '--rounds', '1e2'], message: '--rounds: "1e2" is not a whole number from 1 to 1000' },
    { words: ['libvirt', '--rounds', '1001'], message: '--rounds: "1001" is not a whole number from 1 to 1000' },
  ])('refuses "$words"', ({ words, message }) => {
    expect(() => parseArguments(words, NAMES)).toThrow(expect.objectContaining({ code: 'bad-arguments', message }));
  });

  it.each(['', '30,', '30,x', '0,30', '100,30', '30,30', '1e2', '30,10001', '-5', '30, 100'])(
    'refuses the sizes "%s"',
    (text) => {
      const wanted = 'whole numbers from 1 to 10000, each larger than the one before, such as 30,100,200';
      const message = `--sizes: "${text}" is not a list of ${wanted}`;

      expect(() => parseArguments(['libvirt', `--sizes=${text}`], NAMES)).toThrow(
        expect.objectContaining({ code: 'bad-arguments', message }),
      );
    },
  );

  it('refuses an option it does not know, by name', () => {
    const refused = thrownBy(() => parseArguments(['libvirt', '--fast'], NAMES));

    expect(isBadArguments(refused)).toBe(true);
    expect(String(refused)).toContain('--fast');
  });
});

it('measures one peer alone only where there is such a thing', () => {
  const fleet = { name: 'fleet', peers: ['ours', 'theirs'] };

  expect(() => checkChoices({}, { name: 'store' })).not.toThrow();
  expect(() => checkChoices({ only: 'theirs' }, fleet)).not.toThrow();
  expect(() => checkChoices({ only: 'nobody' }, fleet)).toThrow(
    '--only: "nobody" cannot be measured alone: fleet has ours, theirs',
  );
  expect(() => checkChoices({ only: 'ours' }, { name: 'store' })).toThrow('store has no parts of its own');
});

it('takes sizes only where something grows', () => {
  expect(() => checkChoices({ sizes: [1, 2] }, { name: 'fleet', hasSizes: true })).not.toThrow();
  expect(() => checkChoices({ sizes: [1, 2] }, { name: 'store' })).toThrow('--sizes: store has but one size');
});

it('lists every benchmark in the help', () => {
  const text = helpText([{ name: 'libvirt', summary: 'clients of libvirt' }]);

  expect(text).toMatch(/^ {2}libvirt +clients of libvirt$/m);
  expect(text).toContain('--sizes N,N…');
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

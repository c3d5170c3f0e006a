import { assert, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AnswerReader } from './answer-reader.ts';
import {
  chooseMicroversion,
  compareMicroversions,
  readVersionSpan,
  type Microversion,
  type VersionSpan,
} from './microversion.ts';

describe('chooseMicroversion', () => {
  it.each([
    [span('2.53', '2.87'), span('2.1', '2.93'), '2.87'],
    [span('2.53', '2.93'), span('2.1', '2.60'), '2.60'],
    [span('2.53', '2.93'), span('2.60', '2.60'), '2.60'],
    [span('2.53', '2.87'), span('2.1', '2.52'), undefined],
    [span('2.53', '2.87'), span('2.88', '2.99'), undefined],
    [span('2.9', '2.10'), span('2.1', '2.10'), '2.10'],
  ])('of %o and %o is %s', (call, service, expected) => {
    expect(chooseMicroversion(call, service)).toBe(expected);
  });

  it('is known to both sides, and none that is known to both is newer', () => {
    const version = tuple(nat(3), nat(120)).map(([a, b]): Microversion => `${a}.${b}`);
    const spans = tuple(version, version).map(([a, b]) => {
      return compareMicroversions(a, b) <= 0 ? { least: a, most: b } : { least: b, most: a };
    });

    assert(
      property(spans, spans, version, (a, b, other) => {
        const isKnown = (each: Microversion): boolean =>
          [a, b].every(
            (known) => compareMicroversions(known.least, each) <= 0 && compareMicroversions(each, known.most) <= 0,
          );
        const chosen = chooseMicroversion(a, b);
        const isNewer = isKnown(other) && (chosen === undefined || compareMicroversions(other, chosen) > 0);
        expect([chosen === undefined || isKnown(chosen), isNewer]).toEqual([true, false]);
      }),
    );
  });
});

describe('readVersionSpan', () => {
  it.each([
    [
      'one version',
      { version: { id: 'v2.1', version: '2.93', min_version: '2.1' } },
      2,
      { least: '2.1', most: '2.93' },
    ],
    [
      'the one of several that has microversions',
      {
        versions: [
          { version: '', min_version: '' },
          { version: '2.93', min_version: '2.1' },
        ],
      },
      2,
      { least: '2.1', most: '2.93' },
    ],
    [
      'the words of Placement',
      { versions: [{ max_version: '1.39', min_version: '1.0' }] },
      1,
      { least: '1.0', most: '1.39' },
    ],
  ])('reads %s', (_name, document, major, expected) => {
    expect(readVersionSpan(readerOf(document), major, 'x')).toEqual(expected);
  });

  it.each([
    {},
    { versions: [] },
    { version: { version: '3.7', min_version: '3.0' } },
    { version: { version: 'latest' } },
  ])('finds none in %o', (document) => {
    expect(() => readVersionSpan(readerOf(document), 2, 'x')).toThrow('names no microversions of version 2');
  });
});

function readerOf(document: ConstructorParameters<typeof AnswerReader>[0]): AnswerReader {
  return new AnswerReader(document, { what: 'x', requestId: undefined });
}

function span(least: Microversion, most: Microversion): VersionSpan {
  return { least, most };
}

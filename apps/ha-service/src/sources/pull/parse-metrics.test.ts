import { assert, double, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseMetrics } from './parse-metrics.ts';

describe('parseMetrics', () => {
  it.each([
    { line: 'idle 12', value: 12, labels: {}, timeMs: undefined },
    { line: 'idle{client="10.0.0.1",volume="v_1"} 3.5', value: 3.5, labels: { client: '10.0.0.1', volume: 'v_1' } },
    { line: 'idle{ client = "a" , } 1e3', value: 1000, labels: { client: 'a' } },
    { line: 'idle{} -4', value: -4, labels: {} },
    { line: 'idle{client="a"} 1 1700000000123', value: 1, labels: { client: 'a' }, timeMs: 1_700_000_000_123 },
    { line: 'idle{client="a} 9"} 2', value: 2, labels: { client: 'a} 9' } },
    { line: String.raw`idle{client="a\"b\\c\nd"} 1`, value: 1, labels: { client: 'a"b\\c\nd' } },
    { line: 'idle{client="a"} 7 # {trace="x"} 1', value: 7, labels: { client: 'a' } },
    { line: 'idle{client="a"} 7\r', value: 7, labels: { client: 'a' } },
  ])('reads $line', ({ line, value, labels, timeMs }) => {
    const [reading] = parse(line, 'idle');

    expect(reading).toMatchObject({ value, timeMs });
    for (const [name, text] of Object.entries(labels)) expect(reading?.field(name)).toBe(text);
  });

  it.each([
    'idle',
    'idle NaN',
    'idle +Inf',
    'idle twelve',
    'idle{client="a" 1',
    'idle{client=a} 1',
    'idle{client="a"}',
    'idle_other 1',
    '# idle 1',
    '',
  ])('passes %j over', (line) => {
    expect(parse(`${line}\nidle 5`, 'idle').map(({ value }) => value)).toEqual([5]);
  });

  it('reads times in seconds where the format has them so', () => {
    const found = parseMetrics('idle 1 1700000000.5', new Set(['idle']), 1_000).get('idle');

    expect(found?.[0]?.timeMs).toBe(1_700_000_000_500);
  });

  it('gives back any label and value that were written by the rules of the format', () => {
    assert(
      property(string(), double({ noNaN: true, noDefaultInfinity: true }), (label, value) => {
        const written = label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

        const [reading] = parse(`other 1\nidle{client="${written}"} ${value}\nother 2`, 'idle');

        expect(reading?.field('client')).toBe(label);
        expect(reading?.value).toBeCloseTo(value, 10);
      }),
    );
  });

  it('never throws, whatever comes', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(Array.isArray(parse(`idle${text}\n${text}`, 'idle'))).toBe(true);
      }),
    );
  });
});

function parse(text: string, name: string) {
  return parseMetrics(text, new Set([name]), 1).get(name) ?? [];
}

import { describe, expect, it } from 'vitest';

import { sampleDecision } from './decide-sample.ts';
import type { PullHost, PullMeaning, PullRule } from './pull-settings.ts';

const TIMES = { askedAt: 99_000, cameAt: 100_000, endpointNow: 1_700_000_000_000 };

describe('sampleDecision', () => {
  it.each<{ readonly meaning: PullMeaning; readonly value: number; readonly word: unknown; readonly timeMs?: number }>([
    { meaning: { kind: 'age' }, value: 30, word: { kind: 'alive', at: 70_000 } },
    { meaning: { kind: 'age' }, value: 0, word: { kind: 'alive', at: 100_000 } },
    { meaning: { kind: 'age' }, value: -1, word: undefined },
    // A value that was read 10 s before the answer came is that much older.
    { meaning: { kind: 'age' }, value: 30, timeMs: 1_699_999_990_000, word: { kind: 'alive', at: 60_000 } },
    // A clock that is ahead does not make anything newer.
    { meaning: { kind: 'age' }, value: 30, timeMs: 1_700_000_500_000, word: { kind: 'alive', at: 70_000 } },
    { meaning: { kind: 'moment' }, value: 1_699_999_980, word: { kind: 'alive', at: 80_000 } },
    { meaning: { kind: 'moment' }, value: 1_700_000_900, word: { kind: 'alive', at: 100_000 } },
    { meaning: { kind: 'moment' }, value: 0, word: undefined },
    { meaning: compare('==', 1), value: 1, word: { kind: 'alive', at: 100_000 } },
    { meaning: compare('==', 1), value: 0, word: undefined },
    { meaning: compare('==', 1, 'dead'), value: 0, word: { kind: 'dead', at: 99_000 } },
    { meaning: compare('==', 1, 'dead'), value: 0, timeMs: 1_699_999_940_000, word: { kind: 'dead', at: 39_000 } },
    { meaning: compare('==', 1), value: 1, timeMs: 1_699_999_940_000, word: { kind: 'alive', at: 40_000 } },
    { meaning: compare('<=', 360), value: 360, word: { kind: 'alive', at: 100_000 } },
    { meaning: compare('<', 360), value: 360, word: undefined },
    { meaning: compare('>', 5), value: 6, word: { kind: 'alive', at: 100_000 } },
    { meaning: compare('>=', 5), value: 5, word: { kind: 'alive', at: 100_000 } },
    { meaning: compare('!=', 5), value: 5, word: undefined },
  ])('$value as $meaning.kind $meaning.operator is $word', ({ meaning, value, timeMs, word }) => {
    const sample = sampleDecision(rule({ meaning }))(reading({ client: 'n1' }, value, timeMs), TIMES);

    expect(sample).toEqual(word === undefined ? undefined : { host: 'n1', source: 'storage', ...Object(word) });
  });

  it.each<{ readonly host: Partial<PullHost>; readonly text: string; readonly name: string | undefined }>([
    { host: {}, text: 'node1', name: 'node1' },
    { host: {}, text: '', name: undefined },
    { host: { pattern: '(.+):9100' }, text: 'node1:9100', name: 'node1' },
    { host: { pattern: '(.+):9100' }, text: 'node1:9101', name: undefined },
    { host: { pattern: '(.+):9100' }, text: 'x node1:9100 y', name: undefined },
    { host: { pattern: 'node.*' }, text: 'node1', name: 'node1' },
    { host: { pattern: '(\\w+)-(\\w+)', name: '$2.$1.example' }, text: 'rack1-node2', name: 'node2.rack1.example' },
    { host: { pattern: '(a)?(.*)', name: '$1' }, text: 'b', name: undefined },
    { host: { known: { '10.0.0.1': 'node1' } }, text: '10.0.0.1', name: 'node1' },
    { host: { known: { '10.0.0.1': 'node1' } }, text: '10.0.0.2', name: undefined },
    { host: { known: {} }, text: 'constructor', name: undefined },
  ])('takes $text by $host for $name', ({ host, text, name }) => {
    const sample = sampleDecision(rule({ host: { from: 'client', ...host } }))(reading({ client: text }, 1), TIMES);

    expect(sample?.host).toBe(name);
  });

  it.each([
    { labels: { client: 'n1', volume: 'vol_nova' }, isMeant: true },
    { labels: { client: 'n1', volume: 'my vol_nova' }, isMeant: false },
    { labels: { client: 'n1' }, isMeant: false },
  ])('goes by the labels $labels', ({ labels, isMeant }) => {
    const sample = sampleDecision(rule({ where: { volume: 'vol_.*' } }))(reading(labels, 1), TIMES);

    expect(sample !== undefined).toBe(isMeant);
  });
});

function compare(
  operator: Extract<PullMeaning, { kind: 'compare' }>['operator'],
  than: number,
  otherwise: 'nothing' | 'dead' = 'nothing',
): PullMeaning {
  return { kind: 'compare', operator, than, otherwise };
}

function rule(change: Partial<PullRule>): PullRule {
  return { source: 'storage', value: 'idle', where: {}, host: { from: 'client' }, meaning: { kind: 'age' }, ...change };
}

function reading(labels: Readonly<Record<string, string>>, value: number, timeMs?: number) {
  return { field: (name: string) => labels[name], value, timeMs };
}

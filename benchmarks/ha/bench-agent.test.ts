import { parseBatch } from '@smalt/ha-telemetry';
import { describe, expect, it } from 'vitest';

import { batchOf, tokenOf, tokensFileOf } from './bench-agent.ts';

describe('an agent of the benchmark', () => {
  it.each([
    { hasEvent: true, kinds: ['uptime', 'lifecycle'], lastSequence: 8 },
    { hasEvent: false, kinds: ['uptime'], lastSequence: 7 },
  ])('sends what a real one would: $kinds', ({ hasEvent, kinds, lastSequence }) => {
    const batch = parseBatch(JSON.parse(batchOf('node1', 'e1', 7, hasEvent)));

    expect(batch).toMatchObject({ node: 'node1', epoch: 'e1', firstSequence: 7, lastSequence });
    expect(batch.records.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('has a token that no other has, and that the file does not tell', () => {
    const tokens = [tokenOf('s', 'a'), tokenOf('s', 'b'), tokenOf('t', 'a')];

    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) expect(tokensFileOf('s', ['a', 'b'])).not.toContain(token);
  });
});

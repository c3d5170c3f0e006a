import { describe, expect, it } from 'vitest';

import { foldSamples, type HostSample } from './fold-samples.ts';
import type { SignalTimes } from './apply-sample.ts';

const NOW = 1_000_000;
const BEFORE: SignalTimes = { aliveAt: NOW + 400_000, deadSince: null, deadAt: null };

describe('foldSamples after the clock was set back', () => {
  it.each<[string, HostSample['kind'], number, Partial<SignalTimes>]>([
    ['a sign of life of now counts', 'alive', NOW, { aliveAt: NOW }],
    ['one of a moment ago counts, too', 'alive', NOW - 3_000, { aliveAt: NOW - 3_000 }],
    ['a host that has been dead for long does not seem to live', 'alive', NOW - 300_000, { aliveAt: NOW - 300_000 }],
    ['a statement of death waits until the life before it has some age', 'dead', NOW, { aliveAt: NOW, deadAt: null }],
  ])('%s', (_what, kind, at, expected) => {
    const [change] = foldSamples([sample(kind, at)], stored(BEFORE), NOW);

    expect(change).toMatchObject(expected);
  });

  it('goes on as ever with what comes next', () => {
    const changes = foldSamples([sample('alive', NOW - 9_000), sample('alive', NOW - 2_000)], stored(BEFORE), NOW);

    expect(changes).toMatchObject([{ aliveAt: NOW - 2_000 }]);
  });
});

function sample(kind: HostSample['kind'], at: number): HostSample {
  return { host: 'node-1', source: 'storage', kind, at };
}

function stored(times: SignalTimes) {
  return new Map([['node-1', new Map([['storage', times]])]]);
}

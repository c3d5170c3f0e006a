import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { deadHost, host, NOW, signal, silent } from '../fixtures/host-builders.ts';
import {
  defaultDetectionSettings,
  isReboot,
  judgeHost,
  lastLifeAt,
  readSignal,
  SignalSource,
  watchedSince,
  type HostSignal,
  type JudgementSettings,
} from '../index.ts';

const settings = defaultDetectionSettings.judgement;
const LONG = 600_000;

describe('readSignal', () => {
  it.each<[string, HostSignal, string]>([
    ['an agent heard of a moment ago', signal('agent', { aliveAt: NOW - 45_000 }), 'alive'],
    ['an agent late for a report', signal('agent', { aliveAt: NOW - 45_001 }), 'doubtful'],
    ['an agent silent for almost long enough', signal('agent', { aliveAt: NOW - 119_999 }), 'doubtful'],
    ['an agent silent for long enough', signal('agent', { aliveAt: NOW - 120_000 }), 'dead'],
    ['an agent never heard of', signal('agent'), 'blind'],
    ['a source out of reach', signal('agent', { aliveAt: NOW - LONG, reachableSince: undefined }), 'blind'],
    ['life from a source that has gone', signal('agent', { aliveAt: NOW - 1, reachableSince: undefined }), 'alive'],
    ['a source just back in reach', signal('agent', { aliveAt: NOW - LONG, reachableSince: NOW - 1 }), 'doubtful'],
    ['a sign of life from the future', signal('agent', { aliveAt: NOW + 5 }), 'alive'],
    ['a service called down for long', signal('compute-service', dead(30_000)), 'dead'],
    ['a service called down a moment ago', signal('compute-service', dead(29_999)), 'doubtful'],
    [
      'a service called down, by an old word',
      signal('compute-service', { ...dead(LONG), deadAt: NOW - 60_001 }),
      'doubtful',
    ],
    ['a service silent but not called down', signal('compute-service', { aliveAt: NOW - LONG }), 'doubtful'],
    ['a service that is called up', called({ aliveToldAt: NOW - 60_000 }), 'alive'],
    ['a service that was called up once', called({ aliveToldAt: NOW - 60_001 }), 'doubtful'],
    ['a service called down after it was called up', called({ ...dead(29_999), aliveToldAt: NOW - 1 }), 'doubtful'],
    ['a service called up after it was called down', called({ deadAt: NOW - 2, aliveToldAt: NOW - 1 }), 'alive'],
    ['power that is on', signal('bmc', { aliveAt: NOW }), 'doubtful'],
    ['power that is off', signal('bmc', { ...dead(20_000), aliveAt: undefined }), 'dead'],
    ['a BMC that says nothing', signal('bmc'), 'blind'],
  ])('reads %s', (_what, read, kind) => {
    expect(readSignal(read, settings.rules[read.source], NOW).kind).toBe(kind);
  });
});

describe('judgeHost', () => {
  it('condemns when independent signals have agreed for a while', () => {
    expect(judge([silent('agent', 135_000), silent('node-lease', 135_000)])).toEqual({
      kind: 'condemned',
      since: NOW - 15_000,
      by: ['agent', 'node-lease'],
    });
  });

  it.each<[string, readonly HostSignal[], string]>([
    ['they have agreed for a moment only', [silent('agent', 134_999), silent('node-lease', LONG)], 'long enough'],
    ['one signal is alone', [silent('agent', LONG), signal('storage')], '1 of 2'],
    ['two signals share a path', [silent('agent', LONG), silent('libvirt', LONG)], '1 of 2'],
    ['the agent is not among them', [silent('storage', LONG), silent('node-lease', LONG)], 'agent does not say'],
  ])('only suspects when %s', (_what, signals, missing) => {
    expect(judge(signals)).toMatchObject({ kind: 'suspect', missing: expect.stringContaining(missing) });
  });

  it.each(Object.values(SignalSource).filter((source) => source !== 'bmc'))('is acquitted by %s alone', (source) => {
    const signals = deadHost('n1').signals.map((each) => (each.source === source ? { ...each, aliveAt: NOW } : each));

    expect(judge(signals)).toMatchObject({ kind: 'alive', by: source, lastLifeAt: NOW });
  });

  it('is acquitted by a compute service that is called up, which is no newer life than it tells of', () => {
    const signals = deadHost('n1').signals.filter(({ source }) => source !== 'compute-service');

    expect(judge([...signals, called({ aliveToldAt: NOW })])).toMatchObject({ kind: 'alive', lastLifeAt: NOW - LONG });
  });

  it('is not acquitted by power that is on', () => {
    expect(judge(deadHost('n1').signals).kind).toBe('condemned');
  });

  it('knows nothing when all are blind', () => {
    expect(judge([signal('agent'), signal('bmc')])).toEqual({ kind: 'unknown', blind: ['agent', 'bmc'] });
    expect(judge([])).toEqual({ kind: 'unknown', blind: [] });
  });

  it('tells a reboot from silence', () => {
    const boot = { previous: { bootId: 'a', uptimeSeconds: 90 }, latest: { bootId: 'b', uptimeSeconds: 95 } };

    expect(judgeHost(host('n1', { boot }), settings, NOW)).toMatchObject({ kind: 'alive', isRebooted: true });
    expect(judgeHost(deadHost('n1', { boot }), settings, NOW).kind).toBe('condemned');
  });

  it('never condemns by less than two groups, nor against a sign of life', () => {
    const time = fc.option(fc.integer({ min: NOW - LONG, max: NOW }), { nil: undefined });
    const part = fc.record({ aliveAt: time, deadSince: time, deadAt: time, reachableSince: time });
    const signals = fc.tuple(...Object.values(SignalSource).map((source) => part.map((each) => signal(source, each))));

    fc.assert(
      fc.property(signals, (each) => {
        const judgement = judge(each, { ...settings, requiredSources: [] });
        if (judgement.kind !== 'condemned') return;

        expect(new Set(judgement.by.map((source) => settings.rules[source].group)).size).toBeGreaterThanOrEqual(2);
        expect(NOW - (lastLifeAt({ signals: each }, settings) ?? 0)).toBeGreaterThan(40_000);
      }),
    );
  });
});

describe('a silence that the host has outlived', () => {
  const OLD = 9_000_000;

  it.each<[string, readonly HostSignal[], string]>([
    ['means nothing', [silent('node-lease', OLD), silent('agent', 140_000)], 'suspect'],
    ['means nothing for whoever is required', [silent('agent', OLD), silent('storage', 200_000)], 'suspect'],
    ['is told by life just later than the margin', outlived(600_001), 'suspect'],
    ['is not told by life within the margin', outlived(600_000), 'condemned'],
    [
      'is not told by power',
      [silent('node-lease', OLD), silent('agent', OLD), signal('bmc', { aliveAt: NOW })],
      'condemned',
    ],
    ['counts again after it was seen alive', [silent('node-lease', 140_000), silent('agent', 140_000)], 'condemned'],
    [
      'is not held against a statement',
      [signal('compute-service', { ...dead(OLD), aliveAt: NOW - OLD - 1 }), silent('agent', 140_000)],
      'condemned',
    ],
  ])('%s', (_what, signals, kind) => {
    expect(judge(signals).kind).toBe(kind);
  });
});

describe('watchedSince', () => {
  it.each<[string, readonly HostSignal[], readonly SignalSource[], number | undefined]>([
    ['the only source that has to agree', [seen('agent', 5), seen('storage', 9)], ['agent'], 5],
    ['the later of two', [seen('agent', 5), seen('storage', 9)], ['agent', 'storage'], 9],
    [
      'nobody, while one is out of reach',
      [seen('agent', 5), seen('storage', undefined)],
      ['agent', 'storage'],
      undefined,
    ],
    ['nobody, where one has never told of it', [seen('agent', 5)], ['agent', 'storage'], undefined],
  ])('goes by %s', (_what, signals, requiredSources, expected) => {
    expect(watchedSince({ signals }, { ...settings, requiredSources })).toBe(expected);
  });
});

describe('isReboot', () => {
  it.each([
    ['another boot id', report('a', 10), report('b', 20), true],
    ['the same boot id, whatever the uptime', report('a', 20), report('a', 10), false],
    ['an uptime that went down', report(undefined, 20), report('b', 10), true],
    ['an uptime that went up', report(undefined, 10), report(undefined, 20), false],
    ['a first report', undefined, report('a', 1), false],
  ])('looks at %s', (_what, previous, latest, expected) => {
    expect(isReboot(previous, latest)).toBe(expected);
  });
});

function judge(signals: readonly HostSignal[], by: JudgementSettings = settings) {
  return judgeHost(host('n1', { signals }), by, NOW);
}

/** A compute service, whose word that it is up is about a while ago. */
function called(part: Partial<HostSignal>): HostSignal {
  return signal('compute-service', { aliveAt: NOW - LONG, ...part });
}

function dead(forMs: number): Partial<HostSignal> {
  return { aliveAt: NOW - LONG - 1, deadSince: NOW - forMs, deadAt: NOW };
}

function seen(source: SignalSource, reachableSince: number | undefined): HostSignal {
  return signal(source, { reachableSince });
}

function report(bootId: string | undefined, uptimeSeconds: number) {
  return { bootId, uptimeSeconds };
}

/** The lease was last seen long ago; the agent so long after that had to be called dead. */
function outlived(byMs: number): readonly HostSignal[] {
  const agentAt = NOW - 140_000;
  return [signal('node-lease', { aliveAt: agentAt - byMs - 100_000 }), signal('agent', { aliveAt: agentAt })];
}

import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/host-builders.ts';
import { compute, facts, lost, proved, record } from '../fixtures/incident-builders.ts';
import {
  defaultDetectionSettings,
  nextSteps,
  type ComputeFacts,
  type Incident,
  type RecoveryPlan,
  type ReservedHostFact,
  type ReservedHostUse,
} from '../index.ts';

describe('reserved hosts', () => {
  it('are noted, prepared and used in order, and each step is in the incident first', () => {
    const first = steps({}, plan('reserved-host', [free('r1'), free('r2')]));
    const second = steps(first.incident, plan('reserved-host', [ready('r1'), free('r2')]));

    expect(first.actions).toMatchObject([
      { kind: 'note-unreserved', host: 'r1' },
      { kind: 'prepare-reserved', host: 'r1', aggregates: ['az1'] },
      { kind: 'read-power' },
    ]);
    expect(first.incident).toMatchObject({
      wait: { reason: 'reserved-host' },
      reserved: [{ host: 'r1', state: 'preparing', askedAt: NOW }],
    });
    expect(second.actions.filter(({ kind }) => kind === 'evacuate')).toEqual([
      { kind: 'evacuate', instanceId: 'a', target: 'r1' },
    ]);
    expect(second.incident.instances).toMatchObject([{ state: 'asked', target: 'r1' }]);
  });

  it('are asked again when nothing came of it, but not at once', () => {
    expect(kinds(askedAgo(9_999))).toEqual([]);
    expect(kinds(askedAgo(10_000))).toEqual(['note-unreserved', 'prepare-reserved']);
  });

  it.each<[string, ReservedHostUse, readonly ReservedHostFact[], object]>([
    ['is late', use('r1', { since: NOW - 180_000 }), [free('r1'), free('r2')], [{ state: 'failed' }, { host: 'r2' }]],
    [
      'is down',
      use('r1', { state: 'ready' }),
      [{ ...ready('r1'), isUp: false }, free('r2')],
      [{ state: 'failed' }, {}],
    ],
    ['was taken from the segment', use('r1', { state: 'ready' }), [free('r2')], [{ state: 'failed' }, { host: 'r2' }]],
    [
      'has an incident of its own',
      use('r1', { state: 'ready' }),
      [{ ...ready('r1'), objection: 'r1 has an incident' }, free('r2')],
      [
        { state: 'failed', message: 'r1 has an incident' },
        { host: 'r2', state: 'preparing' },
      ],
    ],
  ])('are followed by the next when one %s', (_what, given, hosts, expected) => {
    const { incident } = steps({ reserved: [given] }, plan('reserved-host', hosts));

    expect(incident.reserved).toMatchObject(expected);
  });

  it.each<[string, ReservedHostFact]>([
    ['used already', { ...free('r1'), isReserved: false }],
    ['down', { ...free('r1'), isUp: false }],
    ['in maintenance', { ...free('r1'), objection: 'r1 is in maintenance: manual' }],
  ])('are not taken when they are %s', (_what, host) => {
    const { incident, actions } = steps({}, plan('reserved-host', [host]));

    expect(actions.filter(({ kind }) => kind !== 'read-power')).toEqual([]);
    expect(incident.reserved).toBeUndefined();
    expect(incident).toMatchObject({
      wait: { reason: 'no-reserved-host', needsPerson: true, message: expect.stringContaining('for 1 instances') },
    });
  });

  it.each<[RecoveryPlan['method'], Partial<Parameters<typeof record>[1]>, string | undefined]>([
    ['auto', {}, undefined],
    ['reserved-host', {}, 'r1'],
    ['reserved-host', { failedTargets: ['r1'] }, 'r2'],
    ['reserved-host', { failedTargets: ['r1', 'r2'] }, 'r1'],
    ['auto-priority', {}, undefined],
    ['auto-priority', { failuresElsewhere: 1 }, 'r1'],
    ['auto-priority', { failuresElsewhere: 1, failedTargets: ['r1'] }, 'r2'],
    ['auto-priority', { failuresElsewhere: 1, failedTargets: ['r1', 'r2'] }, undefined],
    ['reserved-host-priority', {}, 'r1'],
    ['reserved-host-priority', { failedTargets: ['r1', 'r2'] }, undefined],
  ])('by method %s an instance with %o goes to %s', (method, part, target) => {
    const reserved = [use('r1', { state: 'ready' }), use('r2', { state: 'ready' })];
    const given = { reserved, instances: [record('a', { attempts: 1, ...part })], oldEvacuations: [] };

    const { actions } = steps(given, plan(method, [ready('r1'), ready('r2')]));

    expect(actions.find(({ kind }) => kind === 'evacuate')).toEqual({
      kind: 'evacuate',
      instanceId: 'a',
      ...(target !== undefined && { target }),
    });
  });

  it('are used by method auto-priority when no other host has room', () => {
    const { incident } = steps({}, plan('auto-priority', [free('r1')]), { targets: [] });

    expect(incident.reserved).toMatchObject([{ host: 'r1', state: 'preparing' }]);
  });

  it('are followed by the next when one is full', () => {
    const targets = [{ hypervisorId: 'h', name: 'r1', free: { MEMORY_MB: 1 } }];
    const given = { reserved: [use('r1', { state: 'ready' })] };

    const more = steps(given, plan('reserved-host', [ready('r1'), free('r2')]), { targets }).incident;
    const none = steps(given, plan('reserved-host', [ready('r1')]), { targets }).incident;

    expect(more.reserved).toMatchObject([{ host: 'r1' }, { host: 'r2', state: 'preparing' }]);
    expect(none.wait).toMatchObject({ reason: 'no-room' });
  });
});

describe('a reserved host that is ready', () => {
  it('has no room when it is not among those that have, unless nobody can tell', () => {
    const given = { reserved: [use('r1', { state: 'ready' })] };
    const elsewhere = [{ hypervisorId: 'h', name: 'n9', free: { MEMORY_MB: 9_999 } }];

    const full = steps(given, plan('reserved-host', [ready('r1')]), { targets: elsewhere });
    const unknown = steps(given, plan('reserved-host', [ready('r1')]), { targets: undefined });

    expect(kinds(full)).toEqual([]);
    expect(full.incident.wait).toMatchObject({ reason: 'no-room' });
    expect(kinds(unknown)).toEqual(['evacuate']);
  });
});

describe('the clean-up', () => {
  it('comes before the first rebuild, and is asked for until it was done', () => {
    const first = steps({ cleanUp: undefined });
    const second = steps(first.incident, undefined, {}, { isDone: false, message: 'no route' });
    const third = steps(first.incident, undefined, {}, { isDone: true, message: 'gone' });

    expect(kinds(first)).toEqual(['clean-up']);
    expect(first.incident).toMatchObject({ wait: { reason: 'clean-up' }, cleanUp: { state: 'open', tries: 1 } });
    expect(kinds(second)).toEqual([]);
    expect(second.incident.cleanUp).toMatchObject({ state: 'open', message: 'no route' });
    expect(kinds(third)).toEqual(['evacuate']);
  });

  it.each<[string, Partial<NonNullable<Incident['cleanUp']>>, readonly string[]]>([
    ['is asked again after a while', { askedAt: NOW - 10_000 }, ['clean-up']],
    ['is not asked again at once', { askedAt: NOW - 9_999 }, []],
    ['is given up in the end', { since: NOW - 60_000, askedAt: NOW - 10_000, tries: 6 }, ['evacuate']],
    ['is not given up before it was tried again', { since: NOW - 60_000, askedAt: NOW - 60_000 }, ['clean-up']],
    ['is not repeated', { state: 'done' }, ['evacuate']],
  ])('%s', (_what, part, expected) => {
    const cleanUp = { state: 'open', since: NOW - 20_000, askedAt: undefined, tries: 1, message: '', ...part } as const;

    expect(kinds(steps({ cleanUp }))).toEqual(expected);
  });

  it('that was given up is named in the end', () => {
    const cleanUp = { state: 'given-up', since: 0, askedAt: 0, tries: 6, message: 'it was not cleaned up' } as const;

    const { incident } = steps({ cleanUp, instances: [record('a', { state: 'rebuilt' })] }, undefined, {
      instances: [],
    });

    expect(incident).toMatchObject({ state: 'recovered', outcome: '1 instances were rebuilt; it was not cleaned up' });
  });
});

function steps(
  part: Partial<Incident>,
  given?: RecoveryPlan,
  news: Partial<ComputeFacts> = {},
  cleanUpAnswer?: { isDone: boolean; message: string },
) {
  const known = facts({ compute: compute({ instances: [lost('a')], ...news }), plan: given, cleanUpAnswer });
  return nextSteps(proved('rebuilding', part), known, defaultDetectionSettings, NOW);
}

function askedAgo(agoMs: number) {
  return steps({ reserved: [use('r1', { askedAt: NOW - agoMs })] }, plan('reserved-host', [free('r1')]));
}

function plan(method: RecoveryPlan['method'], reservedHosts: readonly ReservedHostFact[]): RecoveryPlan {
  return { method, reservedHosts };
}

function free(name: string): ReservedHostFact {
  return { name, isReserved: true, isUp: true, isEnabled: false, missingAggregates: ['az1'], objection: undefined };
}

function ready(name: string): ReservedHostFact {
  return { name, isReserved: false, isUp: true, isEnabled: true, missingAggregates: [], objection: undefined };
}

function use(host: string, part: Partial<ReservedHostUse> = {}): ReservedHostUse {
  return { host, state: 'preparing', since: NOW - 1_000, askedAt: NOW - 1_000, message: '', ...part };
}

function kinds({ actions }: ReturnType<typeof nextSteps>): readonly string[] {
  return actions.map(({ kind }) => kind).filter((kind) => kind !== 'read-power');
}

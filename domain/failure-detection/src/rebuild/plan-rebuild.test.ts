import { InstanceState } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/host-builders.ts';
import { compute, facts, gap, lost, proved, reading, record } from '../fixtures/incident-builders.ts';
import {
  defaultDetectionSettings,
  nextSteps,
  type ComputeFacts,
  type EvacuationRecord,
  type Incident,
  type IncidentFacts,
  type RebuildRecord,
  type RequestAnswer,
} from '../index.ts';

describe('rebuilding', () => {
  it('asks for the most important first, and not for too many at once', () => {
    const instances = [lost('a'), lost('b', { priority: 5 }), lost('c'), lost('d', { priority: 9 })];

    const { incident, actions } = steps([], { instances });

    expect(evacuated(actions)).toEqual(['d', 'b', 'a']);
    expect(incident.instances.map(({ state }) => state)).toEqual(['asked', 'asked', 'pending', 'asked']);
    expect(incident.instances[0]).toMatchObject({ asks: 1, attempts: 1, askedAt: NOW, startedAt: NOW });
  });

  it.each<[string, RebuildRecord, Partial<ComputeFacts>, RequestAnswer | undefined, Partial<RebuildRecord>]>([
    ['waits for its record', asked(1), {}, undefined, { state: 'asked', asks: 1 }],
    ['rests a moment when nothing was done', asked(1), {}, notDone(), { state: 'pending', asks: 1, retryAfter: NOW }],
    ['is asked for again after that', rested(10_000), {}, undefined, { state: 'asked', asks: 2, attempts: 1 }],
    ['is not asked for again before that', rested(9_999), {}, undefined, { state: 'pending', asks: 1 }],
    ['waits when its fate is not known', asked(599_999), {}, unknown(), { state: 'asked', asks: 1 }],
    ['is asked for again when it never arrived', asked(600_000), {}, undefined, { state: 'asked', asks: 2 }],
    ['is not judged by an old list', asked(600_000), { at: NOW - 1 }, undefined, { state: 'asked', asks: 1 }],
    [
      'has failed once after some requests',
      asked(600_000, 3),
      {},
      undefined,
      { state: 'pending', failuresElsewhere: 1 },
    ],
    ['has failed once when it is refused', asked(1), {}, refused(), { state: 'pending', asks: 0, retryAfter: NOW }],
    [
      'is given up when the last attempt is refused',
      { ...asked(1), attempts: 3 },
      {},
      refused(),
      { state: 'failed', message: '3 attempts failed; the last: its evacuation was refused: no', endedAt: NOW },
    ],
    [
      'is followed by its record',
      asked(1),
      records('open'),
      notDone(),
      { state: 'asked', asks: 1, evacuationId: 'e1' },
    ],
    ['ends with its record', asked(1), records('done'), undefined, { state: 'rebuilt', endedAt: NOW, target: 'n7' }],
    [
      'has failed elsewhere when the compute system chose the host',
      { ...asked(1), evacuationId: 'e1', target: 'n7' },
      records('failed'),
      undefined,
      { state: 'pending', failuresElsewhere: 1, failedTargets: [], target: undefined },
    ],
    [
      'has failed at the host that was asked for',
      { ...asked(1), evacuationId: 'e1', target: 'r1', askedTarget: 'r1' },
      records('failed'),
      undefined,
      { state: 'pending', failuresElsewhere: 0, failedTargets: ['r1'], askedTarget: undefined },
    ],
    [
      'is tried again after its record has failed',
      asked(1),
      records('failed'),
      undefined,
      { state: 'pending', attempts: 1, asks: 0, evacuationId: undefined, pastEvacuations: ['e1'], retryAfter: NOW },
    ],
    [
      'is given up when its last record has failed',
      { ...asked(1), attempts: 3 },
      records('failed'),
      undefined,
      { state: 'failed', attempts: 3, evacuationId: 'e1' },
    ],
    [
      'is asked for a second time once it is due',
      failedOnce(10_000),
      at('failed'),
      undefined,
      { attempts: 2, asks: 1 },
    ],
    ['is not asked for from the list that showed the failure', failedOnce(0), at('failed'), undefined, { asks: 0 }],
    ['waits while it is busy with what failed', failedOnce(20_000), at('busy'), undefined, { state: 'pending' }],
    ['waits while it is being rebuilt', failedOnce(20_000), at('building'), undefined, { state: 'pending' }],
    ['is given up when that never ends', failedOnce(900_000), at('busy'), undefined, { state: 'failed' }],
    [
      'is followed when another evacuation of it is open after all',
      failedOnce(20_000),
      { evacuations: [evacuation('a', 'failed', 'e0'), evacuation('a', 'open', 'e2')] },
      undefined,
      { state: 'asked', attempts: 2, asks: 0, evacuationId: 'e2' },
    ],
    ['is gone when it left the host meanwhile', failedOnce(20_000), { instances: [] }, undefined, { state: 'gone' }],
    [
      'is not asked for if somebody else did',
      record('a'),
      records('open'),
      undefined,
      { state: 'asked', asks: 0, askedAt: NOW },
    ],
    [
      'keeps waiting for a record that is not listed',
      { ...asked(500_000), evacuationId: 'e1' },
      {},
      undefined,
      { asks: 1 },
    ],
    ['is gone if it is not there', record('a'), { instances: [] }, undefined, { state: 'gone' }],
    [
      'is not rebuilt against its owner',
      record('a'),
      { instances: [lost('a', { isRelevant: false })] },
      undefined,
      { state: 'skipped' },
    ],
  ])('an instance %s', (_what, ...[given, part, answer, expected]) => {
    const { incident } = steps([given, asked(1, 1, 'z')], part, answer);

    expect(incident.instances[0]).toMatchObject(expected);
  });

  it('takes no notice of evacuations that were over before', () => {
    const old = evacuation('a', 'failed', 'old');

    const { incident, actions } = steps([], { evacuations: [old] });
    const later = nextSteps(
      incident,
      news({ evacuations: [old, evacuation('a', 'done', 'new')] }),
      defaultDetectionSettings,
      NOW,
    );

    expect(evacuated(actions)).toEqual(['a']);
    expect(later.incident).toMatchObject({ state: 'recovered', instances: [{ evacuationId: 'new' }] });
  });

  it.each(Object.values(InstanceState))('knows what to do with an instance that is %s', (state) => {
    const { incident } = steps([asked(1, 1, 'z')], { instances: [lost('a', { state })] });

    expect(incident.instances[1]?.state).toMatch(/^(?:asked|pending|skipped|failed)$/u);
    expect(incident.instances[1]?.state === 'asked').toBe(['running', 'stopped', 'failed', 'busy'].includes(state));
  });

  it.each(['moving', 'building'] as const)('waits for an instance that is %s, and not for ever', (state) => {
    const busy = { instances: [lost('a', { state, stateText: 'MIGRATING' })] };
    const first = steps([], busy);
    const late = (agoMs: number) => steps([{ ...record('a'), passesSince: NOW - agoMs }], busy).incident;

    const passed = nextSteps(first.incident, news({ instances: [lost('a')] }), defaultDetectionSettings, NOW);

    expect(evacuated(first.actions)).toEqual([]);
    expect(first.incident).toMatchObject({
      state: 'rebuilding',
      wait: { reason: 'evacuations', message: 'the states of 1 instances are waited for to pass' },
      instances: [{ state: 'pending', passesSince: NOW, message: 'it is MIGRATING, which is waited for to pass' }],
    });
    expect(evacuated(passed.actions)).toEqual(['a']);
    expect(passed.incident.instances[0]?.passesSince).toBeUndefined();
    expect(late(899_999).instances).toMatchObject([{ state: 'pending' }]);
    expect(late(900_000).instances).toMatchObject([
      { state: 'failed', message: 'it is MIGRATING, which cannot be rebuilt; reset its state first' },
    ]);
  });

  it('rebuilds what its compute system can rebuild, whatever others can', () => {
    const found = [true, false].map((canBeRebuilt) => {
      return steps([], { instances: [lost('a', { state: 'paused', canBeRebuilt })] }).incident.instances[0]?.state;
    });

    expect(found).toEqual(['asked', 'failed']);
  });

  it('asks only for those that have room, the most important first', () => {
    const instances = [lost('a'), lost('b', { priority: 1 }), lost('c', { resources: { MEMORY_MB: 1, VCPU: 99 } })];
    const targets = [{ hypervisorId: 'h', name: 'n2', free: { MEMORY_MB: 1500, VCPU: 4 } }];

    const { incident, actions } = steps([], { instances, targets });

    expect(evacuated(actions)).toEqual(['b']);
    expect(incident.instances.filter(({ message }) => message.includes('no host has room'))).toHaveLength(2);
    expect(steps([], { instances, targets: [] }).incident.wait).toMatchObject({ reason: 'no-room' });
  });

  it('asks for those that had no room as soon as there is some', () => {
    const instances = [lost('a')];
    const full = steps([], { instances, targets: [] }).incident;

    const { incident, actions } = nextSteps(
      full,
      news({ targets: [target(2_048)] }),
      defaultDetectionSettings,
      NOW + 1,
    );

    expect(full.instances).toMatchObject([{ state: 'pending', attempts: 0, message: 'no host has room for it' }]);
    expect(evacuated(actions)).toEqual(['a']);
    expect(incident.wait).toMatchObject({ reason: 'evacuations' });
  });

  it('is not held up by evacuations that never end', () => {
    const stuck = ['x', 'y', 'z'].map((id) => ({ ...asked(900_000, 1, id), evacuationId: `e-${id}` }));

    const { incident, actions } = steps([...stuck, record('a')], {});

    expect(evacuated(actions)).toEqual(['a']);
    expect(incident.instances[0]?.message).toContain('takes too long');
  });

  it('ends as failed and names who is left', () => {
    const { incident, actions } = steps([
      record('a', { state: 'failed', message: 'why' }),
      record('b', { state: 'rebuilt' }),
    ]);

    expect(actions).toEqual([]);
    expect(incident).toMatchObject({
      state: 'failed',
      closedAt: NOW,
      outcome: '1 instances were rebuilt, 1 not: a: why',
    });
  });

  it.each<[string, Partial<IncidentFacts>, string]>([
    ['the host shows life', { lastLifeAt: NOW }, 'contradiction'],
    ['the power is on', { readings: [reading('on', 0)] }, 'contradiction'],
    ['all is paused', { isPaused: true }, 'paused'],
    ['the compute system is out of reach', { compute: undefined }, 'compute-unreachable'],
    ['it is not certain which host it is', { compute: undefined, computeGap: gap('identity') }, 'compute-identity'],
    ['the compute system refuses to tell', { compute: undefined, computeGap: gap('refused') }, 'compute-refused'],
    [
      'somebody took back that it is dead',
      { compute: compute({ isForcedDown: false, instances: [lost('a')] }) },
      'force-down',
    ],
    ['somebody enabled it', { compute: compute({ isEnabled: true, instances: [lost('a')] }) }, 'force-down'],
  ])('asks for nothing when %s', (_what, part, reason) => {
    const given = proved('rebuilding', { instances: [record('a')] });

    const { incident, actions } = nextSteps(given, { ...news({}), ...part }, defaultDetectionSettings, NOW);

    expect(evacuated(actions)).toEqual([]);
    expect(incident.wait?.reason).toBe(reason);
  });

  it('reads the power again before the proof is old', () => {
    const readAskedAt = NOW - 30_000;

    const { actions } = nextSteps(proved('rebuilding', { readAskedAt }), news({}), defaultDetectionSettings, NOW);

    expect(actions.map(({ kind }) => kind)).toEqual(['evacuate', 'read-power']);
  });
});

function steps(instances: readonly RebuildRecord[], part: Partial<ComputeFacts> = {}, answer?: RequestAnswer) {
  const given: Incident = proved('rebuilding', { instances, ...(instances.length > 0 && { oldEvacuations: [] }) });
  return nextSteps(given, news(part, answer), defaultDetectionSettings, NOW);
}

function news(part: Partial<ComputeFacts>, answer?: RequestAnswer): IncidentFacts {
  const evacuationAnswers = new Map(answer === undefined ? [] : [['a', answer] as const]);
  return facts({ evacuationAnswers, compute: compute({ instances: [lost('a')], ...part }) });
}

function asked(agoMs: number, asks = 1, id = 'a'): RebuildRecord {
  return record(id, { state: 'asked', asks, attempts: 1, askedAt: NOW - agoMs });
}

/** Nothing was done with the request, so long ago. */
function rested(agoMs: number): RebuildRecord {
  return record('a', { asks: 1, attempts: 1, retryAfter: NOW - agoMs });
}

/** Its evacuation was seen to have failed, so long ago. */
function failedOnce(agoMs: number): RebuildRecord {
  return record('a', { attempts: 1, failuresElsewhere: 1, pastEvacuations: ['e0'], retryAfter: NOW - agoMs });
}

/** The instance is in that state, and the record of the failed evacuation is still listed. */
function at(state: InstanceState): Partial<ComputeFacts> {
  return { instances: [lost('a', { state })], evacuations: [evacuation('a', 'failed', 'e0')] };
}

function records(state: EvacuationRecord['state']): Partial<ComputeFacts> {
  return { evacuations: [evacuation('a', state, 'e1')] };
}

function evacuation(instanceId: string, state: EvacuationRecord['state'], id: string): EvacuationRecord {
  return { id, instanceId, state, message: '', targetName: 'n7' };
}

function notDone(): RequestAnswer {
  return { kind: 'not-done', message: 'connection refused' };
}

function unknown(): RequestAnswer {
  return { kind: 'unknown', message: 'no answer' };
}

function refused(): RequestAnswer {
  return { kind: 'refused', message: 'no' };
}

function target(memory: number) {
  return { hypervisorId: 'h', name: 'n2', free: { MEMORY_MB: memory } };
}

function evacuated(actions: ReturnType<typeof nextSteps>['actions']): readonly string[] {
  return actions.flatMap((action) => (action.kind === 'evacuate' ? [action.instanceId] : []));
}

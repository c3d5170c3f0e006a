import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/host-builders.ts';
import { compute, facts, lost, proved, record } from '../fixtures/incident-builders.ts';
import { adoptIncident, defaultDetectionSettings, nextSteps, type PutOff, type RebuildRecord } from '../index.ts';

describe('an instance that stood still before its host died', () => {
  it('is remembered as such from the first time it is seen', () => {
    const instances = [lost('a', { state: 'stopped', stateText: 'SHUTOFF' }), lost('b')];

    const { incident } = steps([], { compute: compute({ instances }) });

    expect(incident.instances.map(({ id, wasOff }) => [id, wasOff])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('stays off by itself when its first evacuation succeeds', () => {
    const { incident, actions } = steps([rebuilt({ attempts: 1 })]);

    expect({ state: incident.state, actions }).toEqual({ state: 'recovered', actions: [] });
  });

  it('is put off again when an evacuation of it had failed, and the incident waits for that', () => {
    const { incident, actions } = steps([rebuilt()]);

    expect(actions).toEqual([{ kind: 'put-off', instanceId: 'a' }]);
    expect(incident).toMatchObject({
      state: 'rebuilding',
      wait: { reason: 'put-off', needsPerson: false },
      instances: [{ putOff: { state: 'open', asks: 1, askedAt: NOW } }],
    });
  });

  it('is not touched while all is paused', () => {
    const { incident, actions } = steps([rebuilt()], { isPaused: true });

    expect(actions).toEqual([]);
    expect(incident.wait?.reason).toBe('paused');
  });

  it('ends the incident when it was put off', () => {
    const answers = new Map([['a', { isDone: true, message: '' }]]);

    const { incident } = steps([rebuilt({ putOff: open(1, 1_000) })], { putOffAnswers: answers });

    expect(incident).toMatchObject({ state: 'recovered', outcome: '1 instances were rebuilt' });
    expect(incident.instances[0]?.message).toBe('it was rebuilt, and put off again, because it stood still before');
  });

  it.each([
    { what: 'waits a while for the answer', putOff: open(1, 9_999), asked: [], state: 'rebuilding' },
    { what: 'is asked for again after that', putOff: open(1, 10_000), asked: ['a'], state: 'rebuilding' },
    { what: 'is left to a person in the end', putOff: open(3, 10_000), asked: [], state: 'recovered' },
  ])('$what', ({ putOff, asked, state }) => {
    const { incident, actions } = steps([rebuilt({ putOff })]);

    expect(actions.map((action) => 'instanceId' in action && action.instanceId)).toEqual(asked);
    expect(incident.state).toBe(state);
  });

  it('is named in the outcome when it could not be put off', () => {
    const { incident } = steps([rebuilt({ putOff: open(3, 10_000) })]);

    expect(incident.outcome).toBe('1 instances were rebuilt; may run though they stood still before: a');
  });

  it('is asked for anew by whoever takes over', () => {
    const adopted = adoptIncident(proved('rebuilding', { instances: [rebuilt({ putOff: open(1, -500_000) })] }), NOW);

    expect(adopted.instances[0]?.putOff).toEqual({ state: 'open', asks: 1, askedAt: undefined });
  });
});

describe('evacuations that never end', () => {
  it('are for a person when nothing else is left to do', () => {
    const overdue = record('a', { state: 'asked', attempts: 1, asks: 1, askedAt: NOW - 900_000, target: 'n7' });
    const evacuations = [{ id: 'e1', instanceId: 'a', state: 'open', message: 'pre-migrating' }] as const;

    const { incident } = steps([overdue], { compute: compute({ instances: [lost('a')], evacuations }) });

    expect(incident.wait).toMatchObject({ reason: 'overdue', needsPerson: true });
    expect(incident.wait?.message).toContain('a (to n7)');
  });
});

function steps(instances: readonly RebuildRecord[], part: Parameters<typeof facts>[0] = {}) {
  return nextSteps(proved('rebuilding', { instances }), facts(part), defaultDetectionSettings, NOW);
}

function rebuilt(part: Partial<RebuildRecord> = {}): RebuildRecord {
  return record('a', { state: 'rebuilt', wasOff: true, attempts: 2, endedAt: NOW, message: 'it was rebuilt', ...part });
}

function open(asks: number, agoMs: number): PutOff {
  return { state: 'open', asks, askedAt: NOW - agoMs };
}

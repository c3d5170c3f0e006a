import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/host-builders.ts';
import { compute, decision, facts, lost, offRow, proved } from '../fixtures/incident-builders.ts';
import { adoptIncident, defaultDetectionSettings, nextSteps, type Incident, type IncidentFacts } from '../index.ts';

const STEADY = { watchedSince: NOW - 600_000 };

describe('the word of a person that was believed', () => {
  it.each<[string, Partial<IncidentFacts>, boolean]>([
    ['the host was watched ever since', STEADY, true],
    ['it was watched since the very moment', { watchedSince: NOW - 300_000 }, true],
    ['the service has stood still since, and has watched for a moment', { watchedSince: NOW - 1_000 }, false],
    ['it has watched for as long as a proof is good for', { watchedSince: NOW - 60_000 }, true],
    ['a source that has to agree is out of reach', { watchedSince: undefined }, false],
  ])('is built upon or not when %s', (_what, part, isAsked) => {
    const { incident: next, actions } = steps(saidSo(300_000), part);

    expect(actions.some(({ kind }) => kind === 'evacuate')).toBe(isAsked);
    expect(next.wait?.reason).toBe(isAsked ? 'evacuations' : 'stale-proof');
  });

  it('needs nobody to have watched as long as it is young', () => {
    const { actions } = steps(saidSo(60_000), { watchedSince: undefined });

    expect(actions.map(({ kind }) => kind)).toEqual(['evacuate']);
  });

  it('is told to be old, and a newer one takes its place', () => {
    const old = steps(saidSo(300_000), { watchedSince: undefined }).incident;

    const { incident: next, actions } = steps(old, { watchedSince: undefined, decisions: [decision()] });

    expect(old.wait?.message).toContain('ann has said that it is off, but it was not watched all the time since');
    expect(next.proof).toMatchObject({ kind: 'person', since: NOW - 500 });
    expect(actions.map(({ kind }) => kind)).toEqual(['evacuate']);
  });

  it('is waited with by who takes over, until that one has watched', () => {
    const adopted = adoptIncident(saidSo(1_000, { lastLifeAt: NOW - 30_000 }), NOW);

    const { wait } = steps(adopted, { watchedSince: NOW - 1_000, lastLifeAt: NOW - 900_000 }).incident;
    const watched = steps(adopted, { watchedSince: NOW - 60_000, lastLifeAt: NOW - 900_000 });

    expect(wait?.reason).toBe('stale-proof');
    expect(watched.actions.map(({ kind }) => kind)).toEqual(['evacuate']);
  });
});

describe('the word of a person that another run has heard and made no proof of', () => {
  it('has to be said again', () => {
    const word = { id: '1', by: 'ann', note: 'seen', saidAt: NOW - 1_000, at: NOW - 1_000 };
    const adopted = adoptIncident(proved('forcing-down', { state: 'fencing', proof: undefined, words: [word] }), NOW);

    const { incident: next } = steps(adopted, { decisions: [decision({ id: '1' })] });

    expect(next.proof).toBeUndefined();
    expect(next.wait?.message).toContain('confirm it again');
  });
});

describe('readings that are too old', () => {
  it('give way to the word of a person', () => {
    const old = proved('rebuilding', { readings: [], instances: [] });

    const { incident: next } = steps(old, { decisions: [decision()] });

    expect(steps(old).incident.wait?.reason).toBe('stale-proof');
    expect(next.proof).toMatchObject({ kind: 'person', by: 'ann' });
  });
});

describe('a sign of life at the compute system', () => {
  const undone = compute({ isForcedDown: false, isEnabled: true, instances: [lost('a')], left: [] });
  const seen = proved('forcing-down', { lifeSign: { text: 'b1 10:00', seenAt: NOW - 60_000 } });

  it('that was the last one before the proof is what is declared dead', () => {
    const { actions } = steps(seen, { compute: undone, lifeSign: 'b1 10:00' });

    expect(actions).toContainEqual({ kind: 'force-down', lifeSign: 'b1 10:00' });
  });

  it.each(['forcing-down', 'rebuilding'] as const)(
    'that is another one than before the proof contradicts it: %s',
    (state) => {
      const { incident: next, actions } = steps({ ...seen, state }, { compute: undone, lifeSign: 'b1 10:01' });
      const later = steps(next, { compute: undone, lifeSign: 'b1 10:01' });
      const said = steps(later.incident, { compute: undone, lifeSign: 'b1 10:01', decisions: [decision({ at: NOW })] });

      expect(actions).toEqual([]);
      expect(later.incident.wait).toMatchObject({ reason: 'contradiction', needsPerson: true });
      expect(said.incident).toMatchObject({ state: 'forcing-down', proof: { kind: 'person' } });
    },
  );

  it('that is first seen after the proof, by one of an older version, is taken for the last one', () => {
    const { incident: next } = steps(proved('forcing-down'), { compute: undone, lifeSign: 'b1 10:00' });

    expect(next.wait?.reason).toBe('force-down');
  });

  it('is still the one before the proof for who takes over', () => {
    const adopted = adoptIncident({ ...seen, lastLifeAt: NOW - 300_000 }, NOW - 500);
    const readings = offRow(3).map((each) => ({ ...each, at: NOW }));

    const { incident: next } = steps(adopted, { compute: undone, lifeSign: 'b1 10:00', readings });

    expect(next.wait?.reason).toBe('force-down');
  });

  it('has readings of off begin anew', () => {
    const off = proved('forcing-down', { state: 'fencing', proof: undefined });

    const before = steps({ ...off, lifeSign: { text: 'b1', seenAt: NOW - 3_000 } }, { lifeSign: 'b1' }).incident;
    const after = steps({ ...off, lifeSign: { text: 'b1', seenAt: NOW - 3_000 } }, { lifeSign: 'b2' }).incident;

    expect([before.proof?.kind, after.proof]).toEqual(['readings', undefined]);
  });
});

describe('a host that is judged alive after it was proved to be off', () => {
  it('is not declared dead, though the life it shows may be older', () => {
    const alive = { kind: 'alive', by: 'compute-service', lastLifeAt: NOW - 90_000, isRebooted: false } as const;
    const undone = compute({ isForcedDown: false, instances: [lost('a')] });

    const { incident: next, actions } = steps(proved('forcing-down'), { judgement: alive, compute: undone });

    expect(next.wait).toMatchObject({ reason: 'contradiction', needsPerson: true });
    expect(actions.filter(({ kind }) => kind !== 'read-power')).toEqual([]);
  });
});

/** One that is being rebuilt because a person has said, so long ago, that its host is off. */
function saidSo(agoMs: number, part: Partial<Incident> = {}): Incident {
  const proof = { kind: 'person', since: NOW - agoMs, by: 'ann', note: 'seen' } as const;
  return proved('rebuilding', { proof, readings: [], oldEvacuations: [], ...part });
}

function steps(given: Incident, part: Partial<IncidentFacts> = {}) {
  const known = facts({ compute: compute({ instances: [lost('a')] }), ...part });
  return nextSteps(given, known, defaultDetectionSettings, NOW);
}

import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/host-builders.ts';
import {
  compute,
  facts,
  fenced,
  incident,
  lost,
  offRow,
  proved,
  reading,
  record,
} from '../fixtures/incident-builders.ts';
import {
  adoptIncident,
  defaultDetectionSettings,
  IncidentState,
  isOver,
  nextSteps,
  type Incident,
  type IncidentFacts,
} from '../index.ts';

/** The clock of the next run beside the one in which all was noted. */
const clocks = { behind: NOW - 3_600_000, same: NOW, ahead: NOW + 86_400_000 };
type Clock = keyof typeof clocks;
const everyClock: readonly Clock[] = ['behind', 'same', 'ahead'];

describe.each(everyClock)('an incident of another run, by a clock that is %s', (clock) => {
  const now = clocks[clock];

  it('has no time in the future', () => {
    const adopted = adoptIncident(everything(), now);

    expect(timesOf(adopted).filter((at) => at > now)).toEqual([]);
    expect(adopted).toMatchObject({ revision: 2, adoptedAt: now });
  });

  it('is not rebuilt before its power was read again', () => {
    const adopted = adoptIncident(rebuilding(), now);

    const first = steps(adopted, now);
    const readings = [{ ...reading('off', 0), at: now + 500 }];
    const second = steps(first.incident, now + 1_000, { readings, lastLifeAt: now - 900_000 });

    expect(first.actions).toEqual([{ kind: 'read-power', level: 0, method: 'redfish' }]);
    expect(first.incident.wait?.reason).toBe('stale-proof');
    expect(second.actions).toContainEqual({ kind: 'evacuate', instanceId: 'a' });
  });

  it('is not rebuilt before its power was read again, though nothing is known that is newer than the last reading', () => {
    const adopted = adoptIncident({ ...rebuilding(), readAskedAt: NOW - 1_010 }, now);

    const passes = [0, 250, 30_000].map((ms) => steps(adopted, now + ms, { lastLifeAt: now - 900_000 }));

    expect(passes.map(({ incident: { wait } }) => wait?.reason)).toEqual(Array(3).fill('stale-proof'));
    expect(passes.flatMap(({ actions }) => actions.map(({ kind }) => kind))).toEqual(Array(3).fill('read-power'));
  });

  it('stops when its power reads on', () => {
    const readings = [{ ...reading('on', 0), at: now + 500 }];

    const { incident: next, actions } = steps(adoptIncident(rebuilding(), now), now + 1_000, { readings });

    expect(actions).toEqual([]);
    expect(next.wait).toMatchObject({ reason: 'contradiction', needsPerson: true });
  });

  it('is not contradicted by the life from before its proof', () => {
    const adopted = adoptIncident(rebuilding(), now);

    expect(steps(adopted, now, { lastLifeAt: now - 900_000 }).incident.wait?.reason).toBe('stale-proof');
  });

  it('is contradicted by life that is younger than any that was known', () => {
    const adopted = adoptIncident(rebuilding(), now);

    expect(steps(adopted, now, { lastLifeAt: now - 60_000 }).incident.wait?.reason).toBe('contradiction');
  });

  it('stays contradicted', () => {
    const doubted = proved('rebuilding', { lastLifeAt: NOW - 100, instances: [record('a')] });

    const { incident: next } = steps(adoptIncident(doubted, now), now, { lastLifeAt: undefined });

    expect(next.wait?.reason).toBe('contradiction');
  });

  it('waits the whole grace for a request that may be under way', () => {
    const asked = record('a', { state: 'asked', asks: 1, attempts: 1, askedAt: NOW - 599_000 });
    const adopted = adoptIncident(proved('rebuilding', { instances: [asked], oldEvacuations: [] }), now);

    const early = steps(adopted, now + 599_999, { readings: [offAt(now + 599_000)] });
    const late = steps(adopted, now + 600_000, { readings: [offAt(now + 599_000)] });

    expect(early.actions.filter(({ kind }) => kind === 'evacuate')).toEqual([]);
    expect(late.actions.filter(({ kind }) => kind === 'evacuate')).toHaveLength(1);
  });

  it('goes on waiting for the state of an instance to pass, and does not begin anew', () => {
    const passing = record('a', { passesSince: NOW - 600_000 });
    const readings = [...offRow(3).slice(0, -1), reading('off', 0)];
    const given = proved('rebuilding', { readings, instances: [passing], oldEvacuations: [] });

    const [after] = adoptIncident(given, now).instances;

    expect(after?.passesSince).toBe(now - 600_000);
  });

  it('goes on waiting for what a compute system rebuilds by itself, and does not begin anew', () => {
    const awaited = record('a', { state: 'asked', attempts: 1, askedAt: NOW - 900_000 });
    const readings = [...offRow(3).slice(0, -1), reading('off', 0)];
    const given = proved('rebuilding', { readings, instances: [awaited], oldEvacuations: [] });

    const adopted = adoptIncident(given, now);
    const listed = compute({ at: now + 1_000, instances: [lost('a')], left: [] });
    const after = steps(adopted, now + 1_000, { readings: [offAt(now + 500)], compute: listed });

    expect(adopted.instances[0]?.askedAt).toBe(now - 900_000);
    expect(after.incident.wait).toMatchObject({ reason: 'overdue', needsPerson: true });
  });

  it('does not go on with a row of readings', () => {
    const adopted = adoptIncident(fenced(5_000, { readings: offRow(2) }), now);
    const row = [1, 2, 3].map((index) => ({ ...reading('off', 0), at: now + index, session: `new-${index}` }));

    expect(steps(adopted, now + 10, { readings: row.slice(0, 1) }).incident.proof).toBeUndefined();
    expect(steps(adopted, now + 10, { readings: row }).incident.state).toBe('forcing-down');
  });

  it('waits for the last order to power off before it gives another', () => {
    const given = adoptIncident(fenced(29_000, { readings: [reading('on', 1_000)] }), now);
    const on = (at: number) => ({ readings: [{ ...reading('on', 0), at: now + at }], verdict: proceed() });

    expect(steps(given, now + 29_999, on(29_000)).actions).not.toContainEqual(
      expect.objectContaining({ kind: 'power-off' }),
    );
    expect(steps(given, now + 30_000, on(29_000)).actions).toContainEqual(
      expect.objectContaining({ kind: 'power-off' }),
    );
  });

  it('remembers that it has shown life since it was told to power off', () => {
    const alive = fenced(60_000, { lastLifeAt: NOW - 50_000, readings: [reading('on', 1_000)] });

    const { incident: next } = steps(adoptIncident(alive, now), now + 60_000, { lastLifeAt: undefined });

    expect(next.wait?.reason).toBe('alive-after-fence');
  });

  it('keeps the word of a person that was believed until a sign of life', () => {
    const adopted = adoptIncident(proved('rebuilding', { lastLifeAt: NOW - 900_000, words: [WORD], proof: SAID }), now);
    const watched = { watchedSince: now - 60_000 };

    const believed = steps(adopted, now, { ...watched, lastLifeAt: now - 900_000 });
    const refuted = steps(adopted, now, { ...watched, lastLifeAt: now - 10_000 });

    expect(believed).toMatchObject({ incident: { proof: { by: 'ann' } }, actions: [{ kind: 'evacuate' }] });
    expect(refuted).toMatchObject({ incident: { wait: { reason: 'contradiction' } }, actions: [] });
  });

  it('makes no proof of a word of which nobody knows when it was heard', () => {
    const adopted = adoptIncident(fenced(60_000, { lastLifeAt: NOW - 900_000, words: [WORD] }), now);

    const { incident: next } = steps(adopted, now, { lastLifeAt: now - 900_000 });

    expect(next.proof).toBeUndefined();
    expect(next.wait?.message).toContain('confirm it again');
  });
});

it('leaves incidents alone that are over', () => {
  const over = Object.values(IncidentState)
    .map((state) => incident({ state }))
    .filter(isOver);

  for (const each of over) expect(adoptIncident(each, 1)).toBe(each);
});

const WORD = { by: 'ann', note: 'seen', saidAt: NOW - 5_000, at: NOW - 5_000 };
const SAID = { kind: 'person', since: NOW - 5_000, by: 'ann', note: 'seen' } as const;

function steps(given: Incident, now: number, part: Partial<IncidentFacts> = {}) {
  const news = facts({
    lastLifeAt: now - 900_000,
    compute: compute({ at: now, instances: [lost('a')] }),
    ...part,
  });
  return nextSteps(given, news, defaultDetectionSettings, now);
}

/** One whose power read on before it was proved to be off. */
function rebuilding(): Incident {
  const readings = [reading('on', 10_000), ...offRow(3)];
  return proved('rebuilding', { readings, lastLifeAt: NOW - 900_000, oldEvacuations: [], readAskedAt: NOW - 500 });
}

function everything(): Incident {
  const times = { askedAt: NOW, retryAfter: NOW, passesSince: NOW, startedAt: NOW, endedAt: NOW };
  const instance = record('a', { state: 'asked', ...times });
  return proved('rebuilding', {
    lastLifeAt: NOW - 900_000,
    readAskedAt: NOW,
    words: [{ by: 'ann', note: '', saidAt: NOW, at: NOW }],
    instances: [instance],
    reserved: [{ host: 'n9', state: 'preparing', since: NOW, askedAt: NOW, message: '' }],
  });
}

/** All times that anything is decided by; what a person said is told by the clock of its time. */
function timesOf(given: Incident): readonly number[] {
  const { fences, readings, words = [], instances, proof, cleanUp, reserved = [] } = given;
  return [
    given.openedAt,
    given.readAskedAt,
    given.lastLifeAt,
    proof?.since,
    cleanUp?.since,
    cleanUp?.askedAt,
    ...fences.map(({ askedAt }) => askedAt),
    ...[...readings, ...words].map(({ at }) => at),
    ...instances.flatMap(({ askedAt, retryAfter, startedAt, endedAt }) => [askedAt, retryAfter, startedAt, endedAt]),
    ...instances.map(({ passesSince }) => passesSince),
    ...reserved.flatMap(({ since, askedAt }) => [since, askedAt]),
  ].filter((at) => at !== undefined);
}

function offAt(at: number) {
  return { ...reading('off', 0), at };
}

function proceed(): IncidentFacts['verdict'] {
  return facts().verdict;
}

import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/host-builders.ts';
import {
  compute,
  decision,
  facts,
  fenced,
  gap,
  incident,
  offRow,
  proved,
  reading,
} from '../fixtures/incident-builders.ts';
import {
  defaultDetectionSettings,
  holdsHost,
  isOver,
  IncidentState,
  nextSteps,
  type Brake,
  type Incident,
  type IncidentFacts,
  type PowerReading,
} from '../index.ts';

describe('an incident that was detected', () => {
  it('is fenced when the second look agrees, and that is written down first', () => {
    const { incident: next, actions } = steps(incident());

    expect(actions).toEqual([{ kind: 'power-off', level: 0, method: 'redfish' }]);
    expect(next).toMatchObject({
      state: 'fencing',
      revision: 2,
      condemnedBy: ['agent', 'node-lease'],
      fences: [{ level: 0, askedAt: NOW }],
    });
  });

  it.each<[string, Partial<IncidentFacts>, object]>([
    ['ends with a sign of life', { judgement: alive(false) }, { state: 'acquitted', outcome: 'agent shows life' }],
    ['ends with a reboot', { judgement: alive(true) }, { state: 'acquitted', outcome: rebooted() }],
    ['waits while it is only suspect', { judgement: suspect() }, { state: 'detected', wait: { reason: 'agreement' } }],
    ['waits while nobody has judged it', { judgement: undefined }, { wait: { reason: 'agreement' } }],
    ['waits without a verdict', { verdict: undefined }, { wait: { reason: 'agreement' } }],
    [
      'waits for a brake',
      { verdict: refusal() },
      { wait: { reason: 'brake', message: 'too many', needsPerson: false } },
    ],
    [
      'ends when nothing is left on it to be rebuilt, and the host is not held',
      { verdict: refusal('no-instances') },
      { state: 'closed', closedAt: NOW, isNeedless: true, outcome: 'nothing is left on it to be rebuilt' },
    ],
    [
      'waits while paused, whether anything is left or not',
      { isPaused: true, verdict: refusal('no-instances') },
      { state: 'detected', wait: { reason: 'paused' } },
    ],
    ['waits while paused', { isPaused: true }, { wait: { reason: 'paused' } }],
    ['ends when a person closes it', { decisions: [decision({ kind: 'close' })] }, { state: 'closed', closedAt: NOW }],
  ])('%s, and nothing is done', (_what, part, expected) => {
    const { incident: next, actions } = steps(incident(), part);

    expect(actions).toEqual([]);
    expect(next).toMatchObject(expected);
  });

  it.each<[string, Partial<IncidentFacts>, boolean]>([
    ['a person has closed it', { decisions: [decision({ kind: 'close' })] }, true],
    ['nothing was left on it', { verdict: refusal('no-instances') }, false],
    ['it shows life', { judgement: alive(false) }, false],
    ['it waits', { verdict: refusal() }, false],
  ])('says whether its host is held when %s', (_what, part, expected) => {
    expect(holdsHost(steps(incident(), part).incident)).toBe(expected);
  });

  it('waits for a person where there is no way to fence, and still ends with a sign of life', () => {
    const stuck = steps(incident({ fenceMethods: [] })).incident;

    expect(stuck).toMatchObject({ state: 'fencing', wait: { reason: 'no-fence-method', needsPerson: true } });
    expect(steps(stuck, { judgement: alive(false) }).incident.state).toBe('acquitted');
    expect(steps(stuck, { verdict: refusal('no-instances') }).incident).toMatchObject({
      state: 'closed',
      isNeedless: true,
    });
    expect(steps(stuck, { decisions: [decision()] }).incident).toMatchObject({ proof: { kind: 'person', by: 'ann' } });
  });
});

describe('an order to power off that was never given', () => {
  it('is no attempt: the host has to be condemned anew', () => {
    const ordered = steps(incident()).incident;

    const again = steps(ordered, { withheldFence: NOW });
    const alone = steps(ordered, { withheldFence: NOW, judgement: alive(false) });
    const held = steps(ordered, { withheldFence: NOW, verdict: refusal() });

    expect(again.actions).toEqual([{ kind: 'power-off', level: 0, method: 'redfish' }]);
    expect(again.incident).toMatchObject({ state: 'fencing', fences: [{ level: 0, askedAt: NOW }] });
    expect(alone).toMatchObject({ incident: { state: 'acquitted' }, actions: [] });
    expect(held).toMatchObject({ incident: { state: 'detected', fences: [] }, actions: [] });
  });

  it('leaves the orders before it alone, and counts when it may have been given', () => {
    const twice = fenced(60_000, {
      fences: [
        { level: 0, askedAt: NOW - 60_000, answer: undefined },
        { level: 0, askedAt: NOW - 10, answer: undefined },
      ],
    });

    expect(steps(twice, { withheldFence: NOW - 10, verdict: refusal() }).incident.fences).toHaveLength(1);
    expect(steps(twice, { withheldFence: NOW - 11 }).incident.fences).toHaveLength(2);
  });
});

describe('an incident that is being fenced', () => {
  it('reads the power, but not more often than it should', () => {
    expect(steps(fenced(5_000)).actions).toEqual([{ kind: 'read-power', level: 0, method: 'redfish' }]);
    expect(steps(read(499), { readings: [reading('on', 400)] }).actions).toEqual([]);
    expect(steps(read(500), { readings: [reading('on', 400)] }).actions).toHaveLength(1);
  });

  it('reads one at a time, and takes an answer that never comes for a broken row', () => {
    const { incident: next, actions } = steps(read(10_000), { readings: offRow(2).map(before(11_000)) });

    expect(steps(read(9_999)).actions).toEqual([]);
    expect(actions).toHaveLength(1);
    expect(next.readings.at(-1)).toMatchObject({ power: 'unknown', at: NOW - 10_000 });
    expect(steps(next, { readings: [reading('off', 0)] }).incident.state).toBe('fencing');
  });

  it('is proved by enough readings of off in a row', () => {
    const { incident: next, actions } = steps(fenced(5_000), { readings: offRow(3), fenceAnswer: 'accepted' });

    expect(actions).toEqual([]);
    expect(next).toMatchObject({
      state: 'forcing-down',
      fences: [{ answer: 'accepted' }],
      proof: { kind: 'readings', since: NOW - 3_000 },
    });
  });

  it.each<[string, readonly PowerReading[], Partial<IncidentFacts>]>([
    ['too few of them', offRow(2), {}],
    ['one that is not off', [...offRow(3).slice(0, 2), reading('on', 1_500), reading('off', 1_000)], {}],
    ['one that is not known', [...offRow(3).slice(0, 2), reading('unknown', 1_500), reading('off', 1_000)], {}],
    ['one session that answers again and again', offRow(3).map((each) => ({ ...each, session: 's' })), {}],
    ['two methods that were mixed', offRow(3).map((each, index) => ({ ...each, level: index % 2 })), {}],
    ['readings from before the order', offRow(3).map((each) => ({ ...each, at: each.at - 10_000 })), {}],
    ['life after the first of them', offRow(3), { lastLifeAt: NOW - 2_999 }],
  ])('is not proved by %s', (_what, readings, part) => {
    expect(steps(fenced(5_000), { readings, ...part }).incident).toMatchObject({ state: 'fencing', proof: undefined });
  });

  it.each<[string, Parameters<typeof decision>[0], boolean]>([
    ['for this incident', {}, true],
    ['for another host', { host: 'n2' }, false],
    ['for another incident', { incidentId: 'i2' }, false],
    ['from before a sign of life', { at: NOW - 5_001 }, false],
    ['by a clock that is ahead', { at: NOW + 3_600_000 }, true],
  ])('takes the word of a person %s', (_what, part, isTaken) => {
    const next = steps(fenced(60_000), { decisions: [decision(part)], lastLifeAt: NOW - 5_000 }).incident;

    expect(next.proof?.kind === 'person').toBe(isTaken);
  });

  it('is told again when its power reads on, and then by the next method', () => {
    const again = steps(fenced(30_000), { readings: [reading('on', 1_000)] });
    const tried = fenced(60_000, { fences: [attempt(0, 60_000), attempt(0, 30_000)] });

    expect(again.actions).toEqual([{ kind: 'power-off', level: 0, method: 'redfish' }]);
    expect(steps(tried, { readings: [reading('on', 1_000)] }).actions).toMatchObject([{ level: 1, method: 'pdu' }]);
    expect(steps(fenced(30_000), { readings: [reading('unknown', 1_000)] }).actions).toMatchObject([{ level: 1 }]);
  });

  it.each<[string, Partial<IncidentFacts>, string]>([
    ['has shown life since', { lastLifeAt: NOW - 29_000 }, 'alive-after-fence'],
    ['is under a brake', { verdict: refusal() }, 'brake'],
    ['is not condemned any more', { verdict: undefined }, 'brake'],
    ['is paused', { isPaused: true }, 'brake'],
  ])('is not told again when it %s', (_what, part, reason) => {
    const { incident: next, actions } = steps(fenced(30_000), { readings: [reading('on', 1_000)], ...part });

    expect(next).toMatchObject({ state: 'fencing', wait: { reason } });
    expect(actions.filter(({ kind }) => kind === 'power-off')).toEqual([]);
  });

  it('is not taken for off by its controller alone while it is judged alive', () => {
    const heard = { readings: offRow(3), lastLifeAt: NOW - 20_000 };

    const doubted = steps(fenced(30_000), { ...heard, judgement: alive(false) }).incident;
    const believed = steps(fenced(30_000), heard).incident;

    expect(doubted).toMatchObject({ state: 'fencing', wait: { reason: 'alive-after-fence', needsPerson: true } });
    expect(believed.state).toBe('forcing-down');
  });

  it('waits for a person when all methods are used up, and goes on reading', () => {
    const spent = fenced(90_000, { fences: [attempt(0, 90_000), attempt(1, 40_000)] });
    const { incident: next, actions } = steps(spent, { readings: [reading('unknown', 9_000, { level: 1 })] });

    expect(next).toMatchObject({ state: 'fencing', wait: { reason: 'no-proof', needsPerson: true } });
    expect(actions).toEqual([{ kind: 'read-power', level: 0, method: 'redfish' }]);
    expect(steps(next, { readings: [...offRow(3), reading('off', 500, { level: 1 })] }).incident.state).toBe(
      'forcing-down',
    );
  });
});

describe('an incident whose host is off', () => {
  it('tells the compute system what it does not know yet', () => {
    const told = (part: object) =>
      steps(proved('forcing-down'), { compute: compute(part) }).actions.map(({ kind }) => kind);

    expect(told({ isForcedDown: false, isEnabled: true })).toEqual(['force-down', 'disable', 'read-power']);
    expect(steps(proved('forcing-down'), { compute: compute({ isEnabled: true }) }).incident.wasEnabled).toBe(true);
    expect(told({ isForcedDown: true, isEnabled: true })).toEqual(['disable', 'read-power']);
    expect(steps(proved('forcing-down')).incident).toMatchObject({ state: 'recovered' });
  });

  it.each<[string, Partial<Incident>, Partial<IncidentFacts>, string]>([
    ['it shows life', {}, { lastLifeAt: NOW - 100 }, 'contradiction'],
    ['its power is on again', {}, { readings: [reading('on', 100)] }, 'contradiction'],
    ['the proof is old', aged(), {}, 'stale-proof'],
    ['the compute system is out of reach', {}, { compute: undefined }, 'compute-unreachable'],
    ['it is not certain which host it is', {}, { compute: undefined, computeGap: gap('identity') }, 'compute-identity'],
    ['everything is paused', {}, { isPaused: true }, 'paused'],
  ])('does nothing when %s', (_what, part, news, reason) => {
    const untold = { compute: compute({ isForcedDown: false, isEnabled: true }), ...news };
    const { incident: next, actions } = steps(proved('forcing-down', part), untold);

    expect(next).toMatchObject({ state: 'forcing-down', wait: { reason } });
    expect(actions.filter(({ kind }) => kind !== 'read-power')).toEqual([]);
  });

  it('goes on after a contradiction only with a newer word of a person', () => {
    const doubted = steps(proved('forcing-down'), { lastLifeAt: NOW - 800 }).incident;

    expect(steps(doubted, { decisions: [decision({ at: NOW - 900 })] }).incident.wait?.reason).toBe('contradiction');
    expect(steps(doubted, { decisions: [decision({ at: NOW - 700 })] }).incident.state).toBe('recovered');
  });
});

describe('the word of a person', () => {
  it('hears a word once, though its time is read a little differently each time', () => {
    const first = steps(proved('forcing-down'), { decisions: [decision({ id: '1' })], compute: undefined }).incident;

    const again = decision({ id: '1', at: decision().at + 0.25 });
    const second = steps(first, { decisions: [again, decision({ id: '2' })], compute: undefined }).incident;

    expect(first.words).toHaveLength(1);
    expect(second.words?.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('that was heard is not newer than a later life, however far ahead its clock was', () => {
    const word = decision({ at: NOW + 3_600_000 });
    const heard = steps(proved('forcing-down'), { decisions: [word], compute: undefined }).incident;

    const later = nextSteps(
      heard,
      facts({ decisions: [word], lastLifeAt: NOW + 1_000 }),
      defaultDetectionSettings,
      NOW + 2_000,
    );

    expect(heard.words).toEqual([{ by: 'ann', note: 'seen', saidAt: NOW + 3_600_000, at: NOW }]);
    expect(later.incident.wait?.reason).toBe('contradiction');
  });
});

describe('any incident', () => {
  it('that is over stays as it is', () => {
    const over = Object.values(IncidentState)
      .map((state) => incident({ state }))
      .filter(isOver);

    expect(over.map(({ state }) => state)).toEqual(['recovered', 'acquitted', 'closed', 'failed']);
    for (const each of over) expect(steps(each, { judgement: alive(false) })).toEqual({ incident: each, actions: [] });
  });

  it('gets a new revision only when it changes', () => {
    const first = steps(incident(), { isPaused: true }).incident;

    expect(first.revision).toBe(2);
    expect(steps(first, { isPaused: true }).incident).toBe(first);
  });
});

function steps(given: Incident, part: Partial<IncidentFacts> = {}) {
  return nextSteps(given, facts(part), defaultDetectionSettings, NOW);
}

function read(agoMs: number): Incident {
  return fenced(20_000, { readAskedAt: NOW - agoMs });
}

function before(ms: number) {
  return (each: PowerReading) => ({ ...each, at: each.at - ms });
}

function alive(isRebooted: boolean) {
  return { kind: 'alive', by: 'agent', lastLifeAt: NOW, isRebooted } as const;
}

function rebooted(): unknown {
  return expect.stringContaining('it has rebooted by itself; what does not run again is for instance recovery');
}

function suspect() {
  return { kind: 'suspect', since: 0, dead: [], missing: '' } as const;
}

function refusal(brake: Brake = 'mass-failure') {
  const judgement = { kind: 'condemned', since: 0, by: [] } as const;
  return { kind: 'refuse', host: 'n1', judgement, refusal: { brake, message: 'too many' } } as const;
}

function attempt(level: number, agoMs: number) {
  return { level, askedAt: NOW - agoMs, answer: undefined };
}

function aged(): Partial<Incident> {
  const readings = offRow(3).map((each) => ({ ...each, at: each.at - 60_000 }));
  return { readings, proof: { kind: 'readings', since: NOW - 63_000, readings } };
}

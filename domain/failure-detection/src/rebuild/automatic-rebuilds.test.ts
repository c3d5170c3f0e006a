import { describe, expect, it } from 'vitest';

import { deadHost, host, NOW } from '../fixtures/host-builders.ts';
import { compute, facts, lost, proved, record } from '../fixtures/incident-builders.ts';
import {
  defaultDetectionSettings,
  judgeFleet,
  nextSteps,
  type ComputeFacts,
  type Incident,
  type IncidentFacts,
  type LeftInstance,
  type LostInstance,
} from '../index.ts';

describe('a compute system that rebuilds by itself once a host is declared dead', () => {
  it('is told so only when it is written down what the host had, and the network is cleaned up', () => {
    const undone = compute({ isForcedDown: false, isEnabled: true, instances: [lost('a')], left: [] });
    const cleanUpAnswer = { isDone: true, message: 'gone' };

    const first = steps(proved('forcing-down', { cleanUp: undefined }), { compute: undone });
    const second = steps(first.incident, { compute: undone, cleanUpAnswer });

    expect([first, second].map(kinds)).toEqual([
      ['clean-up', 'disable'],
      ['force-down', 'disable'],
    ]);
    expect(first.incident).toMatchObject({ wait: { reason: 'clean-up' }, instances: [{ id: 'a', state: 'pending' }] });
    expect(second.incident).toMatchObject({ wait: { reason: 'force-down' }, oldEvacuations: [] });
  });

  it.each([
    ['before it was told', proved('forcing-down', { cleanUp: undefined }), false],
    ['after it was told', watched(), true],
  ] as const)(
    'keeps in mind whether it was told so when a person closes the incident %s',
    (_when, given, isDeclaredDead) => {
      const undone = compute({ isForcedDown: false, isEnabled: true, instances: [lost('a')], left: [] });
      const close = { kind: 'close', host: 'n1', incidentId: 'i1', by: 'ann', at: NOW, note: 'it is fine' } as const;

      const { incident } = steps(given, {
        compute: given.state === 'forcing-down' ? undone : compute({ left: [left('a', 'coming')] }),
      });
      const closed = steps(incident, { decisions: [close] }).incident;

      expect(closed).toMatchObject({ state: 'closed', oldEvacuations: [] });
      expect(closed.isDeclaredDead).toBe(isDeclaredDead);
    },
  );

  it('has not rebuilt an instance before that is seen to run elsewhere', () => {
    const ended = steps(watched(), { compute: compute({ left: [left('a', 'coming')] }) });
    const done = steps(ended.incident, { compute: compute({ left: [left('a', 'elsewhere', 'n7')] }) });

    expect(ended.incident).toMatchObject({
      state: 'rebuilding',
      wait: { reason: 'evacuations' },
      instances: [{ state: 'asked', askedAt: NOW, startedAt: NOW, message: expect.stringContaining('Starting') }],
    });
    expect(kinds(ended)).toEqual([]);
    expect(done.incident).toMatchObject({
      state: 'recovered',
      outcome: '1 instances were rebuilt',
      instances: [{ state: 'rebuilt', target: 'n7', attempts: 1, message: 'it runs on n7' }],
    });
  });

  it('is asked for nothing again, however long an instance takes, and then a person looks', () => {
    const asked = record('a', { state: 'asked', attempts: 1, askedAt: NOW - 900_000 });

    const late = steps(watched({ instances: [asked] }), { compute: compute({ left: [left('a', 'coming')] }) });

    expect(kinds(late)).toEqual([]);
    expect(late.incident.wait).toMatchObject({ reason: 'overdue', needsPerson: true });
  });

  it('is asked for nothing, though it has not begun with any yet, and then a person looks', () => {
    const refused = new Map(['a', 'b'].map((id) => [id, { kind: 'refused', message: 'it is on no host' } as const]));

    const first = steps(watched(), { compute: still(NOW) });
    const later = [30_000, 600_000, 899_999].map((ms) => {
      return stepsAt(NOW + ms, first.incident, { compute: still(NOW + ms), evacuationAnswers: refused });
    });
    const late = stepsAt(NOW + 900_000, later[2]?.incident ?? first.incident, { compute: still(NOW + 900_000) });

    expect([first, ...later, late].flatMap(kinds)).toEqual([]);
    const asked = { state: 'asked', asks: 0, attempts: 1, askedAt: NOW, startedAt: NOW };
    expect(first.incident.instances).toMatchObject(['a', 'b', 'c', 'd'].map((id) => ({ ...asked, id })));
    expect(later.map(({ incident }) => incident.wait?.reason)).toEqual(Array(3).fill('evacuations'));
    expect(late.incident).toMatchObject({ state: 'rebuilding', wait: { reason: 'overdue', needsPerson: true } });
  });

  it('is waited for with instances that were asked for in vain by an earlier version', () => {
    const failed = { attempts: 2, failuresElsewhere: 2, retryAfter: NOW - 1_000 };
    const instances = [record('a', failed), record('b', { state: 'asked', asks: 3, askedAt: NOW - 700_000 })];
    const busy = compute({ instances: [lost('a', { state: 'busy' }), lost('b')], left: [] });

    const first = steps(watched({ instances }), { compute: busy });
    const done = steps(first.incident, {
      compute: compute({ left: [left('a', 'elsewhere', 'n7'), left('b', 'elsewhere', 'n8')] }),
    });

    expect(kinds(first)).toEqual([]);
    expect(first.incident.instances).toMatchObject([
      { state: 'asked', askedAt: NOW },
      { state: 'asked', asks: 3, askedAt: NOW - 700_000 },
    ]);
    expect(done.incident).toMatchObject({ state: 'recovered', outcome: '2 instances were rebuilt' });
  });

  it('is given no reserved host', () => {
    const reservedHosts = [{ ...RESERVED, name: 'n9' }];
    const plan = { method: 'reserved-host', reservedHosts } as const;

    const { incident, actions } = steps(watched(), { compute: compute({ instances: [lost('a')], left: [] }), plan });

    expect(actions.filter(({ kind }) => kind !== 'read-power')).toEqual([]);
    expect(incident.reserved).toBeUndefined();
    expect(incident.instances).toMatchObject([{ state: 'asked' }]);
  });

  it.each([
    ['on its way to a host that is dead too', { state: 'moving', stateText: 'Migrating' }, 'pending'],
    ['just being started', { state: 'building', stateText: 'Scheduling' }, 'pending'],
    ['in a state that others would refuse', { state: 'suspended', stateText: 'Suspended' }, 'asked'],
  ] as const)('is waited for with an instance that is %s, and then a person looks', (_what, state, before) => {
    const { passes, end } = watchLong(state);

    expect(passes.map(({ incident }) => [incident.wait?.reason, incident.instances[0]?.state])).toEqual([
      ['evacuations', before],
      ['evacuations', before],
      ['evacuations', before],
      ['overdue', 'asked'],
      ['overdue', 'asked'],
    ]);
    expect(passes.at(-1)?.incident.wait?.needsPerson).toBe(true);
    expect(end).toMatchObject({ state: 'recovered', outcome: '1 instances were rebuilt' });
  });

  it('holds up no other host while an instance may be on its way there', () => {
    const { passes } = watchLong({ state: 'moving', stateText: 'Migrating' });
    const hosts = [...Array.from({ length: 20 }, (_, index) => host(`h${index}`)), deadHost('n1'), deadHost('n2')];
    const brakes = { ...defaultDetectionSettings.brakes, maximumOpen: 1 };
    const service = { startedAt: 0, kubernetesSince: 0, computeSince: 0, storeSince: 0, lastOpenedAt: undefined };

    for (const { incident } of passes) {
      const view = { hosts, service, openIncidents: [incident] };
      const { verdicts } = judgeFleet(view, { ...defaultDetectionSettings, brakes }, NOW);
      expect(verdicts).toContainEqual(expect.objectContaining({ kind: 'open', host: 'n2' }));
    }
  });

  it('is a case for a person once one instance takes too long, though the state of another may still pass', () => {
    const instances = [
      record('a', { state: 'asked', attempts: 1, askedAt: NOW - 900_000 }),
      record('b', { passesSince: NOW - 1_000 }),
    ];
    const moving = lost('b', { canBeRebuilt: false, state: 'moving', stateText: 'Migrating' });

    const { incident } = steps(watched({ instances }), {
      compute: compute({ instances: [lost('a'), moving], left: [] }),
    });

    expect(incident.wait).toMatchObject({ reason: 'overdue', needsPerson: true });
  });

  it('is waited for with an instance whose state an earlier version waited for', () => {
    const waiting = record('a', { passesSince: NOW - 900_000 });
    const moving = lost('a', { canBeRebuilt: false, state: 'moving', stateText: 'Migrating' });

    const { incident } = steps(watched({ instances: [waiting] }), {
      compute: compute({ instances: [moving], left: [] }),
    });

    expect(incident).toMatchObject({
      wait: { reason: 'overdue' },
      instances: [{ state: 'asked', askedAt: NOW - 900_000, passesSince: undefined }],
    });
  });

  it('is waited for with an instance of which only others have told, and that is not listed any more', () => {
    const { incident } = steps(watched({ instances: [] }), {
      compute: compute({ left: [left('told', 'coming'), left('moved-before', 'elsewhere'), left('gone', 'gone')] }),
    });

    expect(incident).toMatchObject({ state: 'rebuilding', instances: [{ id: 'told', state: 'asked' }] });
  });

  it.each([
    ['gone', 'gone', 'there is no such instance any more'],
    ['off', 'skipped', 'it has ended with its host, and its owner alone starts it again'],
  ] as const)('has no instance to rebuild that is %s', (fate, state, message) => {
    const { incident } = steps(watched(), { compute: compute({ left: [left('a', fate)] }) });

    expect(incident).toMatchObject({ state: 'recovered', outcome: '0 instances were rebuilt' });
    expect(incident.instances).toMatchObject([{ state, message }]);
  });

  it('is believed first where it has a record of an evacuation', () => {
    const open = { id: 'e1', instanceId: 'a', state: 'open', message: '', targetName: undefined } as const;

    const { incident } = steps(watched(), {
      compute: compute({ left: [left('a', 'elsewhere')], evacuations: [open] }),
    });

    expect(incident.instances).toMatchObject([{ state: 'asked', evacuationId: 'e1' }]);
  });
});

/** What comes of one that stays in its state for half an hour after the proof, and then runs elsewhere. */
function watchLong(state: Partial<LostInstance>) {
  const listed = (at: number) => compute({ at, instances: [lost('a', { canBeRebuilt: false, ...state })], left: [] });
  const undone = { ...listed(NOW), isForcedDown: false, isEnabled: true };
  let { incident } = steps(proved('forcing-down'), { compute: undone });
  const passes = [0, 30_000, 899_999, 900_000, 1_800_000].map((ms) => {
    const pass = stepsAt(NOW + ms, incident, { compute: listed(NOW + ms) });
    incident = pass.incident;
    return pass;
  });
  const at = NOW + 1_800_001;
  const { incident: end } = stepsAt(at, incident, { compute: compute({ at, left: [left('a', 'elsewhere', 'n7')] }) });
  return { passes, end };
}

/** Four of which all are there still. */
function still(at: number): ComputeFacts {
  return compute({ at, instances: ['a', 'b', 'c', 'd'].map((id) => lost(id)), left: [] });
}

const RESERVED = { isReserved: true, isUp: true, isEnabled: false, missingAggregates: [], objection: undefined };

function steps(incident: Incident, part: Partial<IncidentFacts>) {
  return stepsAt(NOW, incident, part);
}

/** All the time its power reads off. */
function stepsAt(now: number, incident: Incident, part: Partial<IncidentFacts>) {
  const readings = now === NOW ? [] : [{ level: 0, at: now, session: `s${now}`, power: 'off' } as const];
  return nextSteps(incident, facts({ readings, ...part }), defaultDetectionSettings, now);
}

function watched(part: Partial<Incident> = {}): Incident {
  return proved('rebuilding', { instances: [record('a')], oldEvacuations: [], ...part });
}

function left(id: string, fate: LeftInstance['fate'], hostName?: string): LeftInstance {
  return { ...lost(id, { state: 'building', stateText: 'Starting' }), fate, hostName };
}

function kinds({ actions }: ReturnType<typeof nextSteps>): readonly string[] {
  return actions.map(({ kind }) => kind).filter((kind) => kind !== 'read-power');
}

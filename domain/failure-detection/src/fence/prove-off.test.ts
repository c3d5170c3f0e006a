import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/host-builders.ts';
import { compute, decision, facts, fenced, incident, offRow, proved, reading } from '../fixtures/incident-builders.ts';
import { defaultDetectionSettings, nextSteps, type Incident, type IncidentFacts, type PowerReading } from '../index.ts';

describe('two methods that were told to power it off', () => {
  it.each<[string, readonly PowerReading[], boolean]>([
    ['the second says off, and the first is mute as often as counts', [mute(20_000), ...byPdu(), ...mutes(2)], true],
    ['the second says off, and the first was mute before', [...mutes(3).map(earlier), ...byPdu()], false],
    ['the second says off, and the first has failed once', [...byPdu(), mute(500)], false],
    ['the second says off, and the first was never asked', byPdu(), false],
    ['the second says off, and the first said so before', [off(20_000), ...byPdu()], false],
    ['the second says off, and the first says so too', [...byPdu(), off(500)], true],
    ['the first has agreed, and fails since', [...byPdu(), off(800), mute(500)], true],
    ['the first said on before the second, and off since', [on(20_000), ...byPdu(), off(500)], true],
    ['the first says on', [on(20_000), ...byPdu()], false],
    ['the first says on after the second said off', [...byPdu(), on(500)], false],
    ['the first said on in between, and off since', [...byPdu(), on(800), off(500)], false],
    ['the first said on, and one failure says nothing else', [on(20_000), ...byPdu(), mute(500)], false],
    ['the first said on, and has been mute as often as counts', [on(20_000), ...byPdu(), ...mutes(3)], true],
    ['the first said on, and its answers were lost', [on(20_000), ...byPdu(), ...mutes(3).map(lost)], false],
    [
      'both say off by turns, the first often enough',
      [off(3_000), pdu(2_500), off(2_000), pdu(1_500), off(1_000)],
      true,
    ],
  ])('prove it or not when %s', (_what, readings, isProved) => {
    expect(steps(twice(), { readings }).incident.proof !== undefined).toBe(isProved);
  });

  it('are settled by asking the one that says on again, at once', () => {
    const { actions, incident: next } = steps(twice(), { readings: [on(20_000), ...byPdu()] });

    expect(actions).toEqual([{ kind: 'read-power', level: 0, method: 'redfish' }]);
    expect(steps(next, { readings: [off(0)] }).incident.state).toBe('forcing-down');
  });

  it('are both asked before the word of one is believed: the first may be back, and say on', () => {
    const given = { readings: [mute(20_000), ...byPdu()] };
    const late = twice({ fences: [attempt(0, 90_000), attempt(1, 40_000)] });

    const { actions, incident: next } = steps(twice(), given);

    expect(actions).toEqual([{ kind: 'read-power', level: 0, method: 'redfish' }]);
    expect(steps(late, given).actions).toEqual(actions);
    expect(steps(next, { readings: [on(0)] }).incident).toMatchObject({ state: 'fencing', proof: undefined });
  });

  it('are both doubted when an answer is lost: whoever was asked may have said on', () => {
    const asked = twice({ readAskedAt: NOW - 10_000 });

    const { readings } = steps(asked).incident;

    expect(readings.map(({ level, isLost }) => [level, isLost])).toEqual([
      [0, true],
      [1, true],
    ]);
  });

  it('leave it to a person in the end, who is told what each of them says', () => {
    const late = twice({ fences: [attempt(0, 90_000), attempt(1, 40_000)] });

    const { incident: next } = steps(late, { readings: [on(20_000), ...byPdu()] });

    expect(next.wait).toMatchObject({ reason: 'no-proof', needsPerson: true });
    expect(next.wait?.message).toContain('on by redfish, off by pdu');
  });

  it('are remembered however often the other one fails', () => {
    const failures = Array.from({ length: 80 }, (_, index) => mute(19_000 - index * 100, 1));

    expect(steps(twice(), { readings: [on(20_000), ...failures, ...byPdu()] }).incident.proof).toBeUndefined();
  });

  it('are both read on after the proof, and on by any of them contradicts it', () => {
    const fences = [attempt(0, 40_000), attempt(1, 20_000)];
    const both = proved('forcing-down', { fences, readAskedAt: NOW - 15_000 });
    const untold = { compute: compute({ isForcedDown: false, isEnabled: true }) };

    expect(steps(both, untold).actions).toContainEqual({ kind: 'read-power', level: 1, method: 'pdu' });
    expect(steps(both, { ...untold, readings: [reading('on', 100, { level: 1 })] }).incident.wait?.reason).toBe(
      'contradiction',
    );
  });
});

describe('a method that was never told to power it off', () => {
  it('proves nothing by saying off', () => {
    const { incident: next } = steps(fenced(60_000), { readings: [on(20_000), ...byPdu()], isPaused: true });

    expect(next).toMatchObject({ state: 'fencing', proof: undefined });
  });

  it('contradicts nothing by saying on, for its outlet is on while the host is off', () => {
    const { incident: next } = steps(proved('forcing-down'), { readings: [reading('on', 100, { level: 1 })] });

    expect(next.wait?.reason).not.toBe('contradiction');
  });
});

describe('a row of readings', () => {
  it('is broken when its method has become another device', () => {
    const first = offRow(3).map((each) => ({ ...each, method: 'redfish at 192.0.2.1' }));
    const changed = first.map((each, index) => (index === 0 ? { ...each, method: 'redfish at 192.0.2.2' } : each));

    expect(steps(fenced(5_000), { readings: first }).incident.proof).toBeDefined();
    expect(steps(fenced(5_000), { readings: changed }).incident.proof).toBeUndefined();
  });
});

describe('the word of a person about a host that is judged alive', () => {
  it('does not count until the host has fallen silent, and the incident says why', () => {
    const word = { decisions: [decision()], lastLifeAt: NOW - 1_000 };

    const doubted = steps(fenced(60_000), { ...word, judgement: alive() }).incident;
    const believed = steps(doubted, word).incident;

    expect(doubted).toMatchObject({ state: 'fencing', proof: undefined });
    expect(doubted.wait?.message).toContain('ann has said that it is off, which does not count as long as agent shows');
    expect(believed).toMatchObject({ state: 'forcing-down', proof: { kind: 'person', by: 'ann' } });
  });

  it('is void after the next sign of life, and the incident says so', () => {
    const { incident: next } = steps(fenced(60_000), { decisions: [decision()], lastLifeAt: NOW - 100 });

    expect(next.proof).toBeUndefined();
    expect(next.wait?.message).toContain('ann has said that it is off, but it has shown life since');
  });

  it('does not end a contradiction either', () => {
    const word = { decisions: [decision({ at: NOW - 700 })], lastLifeAt: NOW - 800 };

    expect(steps(proved('forcing-down'), { ...word, judgement: alive() }).incident.wait?.reason).toBe('contradiction');
    expect(steps(proved('forcing-down'), word).incident.state).toBe('recovered');
  });

  it('is not contradicted by power that reads on, for a stuck controller is why persons are asked', () => {
    const said = steps(fenced(60_000), { decisions: [decision()] }).incident;
    const untold = { compute: compute({ isForcedDown: false, isEnabled: true }) };

    const { incident: next, actions } = steps(said, { ...untold, readings: [on(0)] });

    expect(next.wait?.reason).toBe('force-down');
    expect(actions.map(({ kind }) => kind)).toContain('force-down');
  });
});

describe('the word of a person about a host that the compute system has not watched for long enough', () => {
  const word = { decisions: [decision()] };

  it.each<[string, IncidentFacts['judgement']]>([
    ['condemned', unwatched()],
    ['a suspect', { kind: 'suspect', since: undefined, dead: ['agent'], missing: '', isUnwatched: true }],
    ['unknown', { kind: 'unknown', blind: ['agent'], isUnwatched: true }],
  ])('does not count, and the incident says why, when the host is %s', (_what, judgement) => {
    const doubted = steps(fenced(60_000), { ...word, judgement }).incident;
    const believed = steps(doubted, word).incident;

    expect(doubted).toMatchObject({ state: 'fencing', proof: undefined });
    expect(doubted.wait?.message).toContain('ann has said that it is off, which does not count as long as the compute');
    expect(believed).toMatchObject({ state: 'forcing-down', proof: { kind: 'person', by: 'ann' } });
  });

  it('does not renew a proof either, and the incident says why', () => {
    const readings = proved('forcing-down', { lastLifeAt: NOW - 800 });
    const person = { ...readings, proof: { kind: 'person', since: NOW - 900, by: 'bob', note: '' } } as const;

    for (const contradicted of [readings, person]) {
      const { wait } = steps(contradicted, { ...word, judgement: unwatched() }).incident;
      expect(wait).toMatchObject({ reason: 'contradiction', message: expect.stringContaining('has not watched it') });
      expect(steps(contradicted, word).incident.wait?.reason).not.toBe('contradiction');
    }
  });

  it('does not speak against a proof that was made before', () => {
    expect(steps(proved('forcing-down'), { judgement: unwatched() }).incident.state).toBe('recovered');
  });
});

describe('readings of off of a host that the compute system has not watched for long enough', () => {
  it.each<[string, Partial<Incident>]>([
    ['there is time to power it off', {}],
    ['the time of the order is over', { fences: [attempt(0, 90_000)] }],
    ['the time of the last order is over', { fences: [attempt(0, 90_000), attempt(1, 40_000)] }],
  ])('prove nothing until it was watched, and call nobody meanwhile, when %s', (_what, part) => {
    const readings = [...offRow(3), ...byPdu()].toSorted((a, b) => a.at - b.at);

    const doubted = steps(fenced(20_000, part), { readings, judgement: unwatched() });
    const believed = steps(doubted.incident).incident;

    expect(doubted.incident).toMatchObject({ state: 'fencing', proof: undefined });
    expect(doubted.incident.wait).toMatchObject({
      reason: 'proof',
      needsPerson: false,
      message: expect.stringMatching(/reads off, .*has not watched n1 for long enough.* its next heartbeat/u),
    });
    expect(doubted.actions.map(({ kind }) => kind)).toEqual(['read-power']);
    expect(believed).toMatchObject({ state: 'forcing-down', proof: { kind: 'readings' } });
  });

  it('prove nothing either once it has shown another heartbeat meanwhile', () => {
    const known = fenced(20_000, { lifeSign: { text: 'b1 10:00', seenAt: NOW - 300_000 } });
    const doubted = steps(known, { readings: offRow(3), judgement: unwatched(), lifeSign: 'b1 10:00' }).incident;

    const { incident: next } = steps(doubted, { lifeSign: 'b1 10:01' });

    expect(next).toMatchObject({ state: 'fencing', proof: undefined });
  });
});

describe('the word of a person that is heard late', () => {
  it.each<[string, number, boolean]>([
    ['as old as a proof may be', 60_000, true],
    ['older', 60_001, false],
  ])('counts or not when it is %s', (_what, agoMs, isProved) => {
    const { incident: next } = steps(fenced(300_000), { decisions: [decision({ at: NOW - agoMs })] });

    expect(next.proof !== undefined).toBe(isProved);
  });

  it('leaves the host as it is, and the incident asks for it once more', () => {
    const late = steps(fenced(300_000), { decisions: [decision({ id: '1', at: NOW - 193_000 })] }).incident;
    const again = [decision({ id: '1', at: NOW - 193_000 }), decision({ id: '2' })];

    expect(late).toMatchObject({ state: 'fencing', proof: undefined });
    expect(late.wait?.message).toContain('ann has said that it is off, which counts for 60 s only');
    expect(steps(late, { decisions: again }).incident).toMatchObject({ state: 'forcing-down', proof: { by: 'ann' } });
  });

  it('is asked for once more where a brake has kept the host from being fenced all the time', () => {
    const refused = { isPaused: true, decisions: [decision({ at: NOW - 61_000 })] };

    const { incident: next } = steps(incident(), refused);

    expect(next).toMatchObject({ state: 'detected', wait: { reason: 'paused' } });
    expect(next.wait?.message).toContain('which counts for 60 s only');
  });
});

describe('an incident without a way to fence', () => {
  it('takes a way that was found since, as long as no brake holds it', () => {
    const stuck = steps(incident({ fenceMethods: [] }), { fenceMethods: [] }).incident;

    const found = steps(stuck, { fenceMethods: ['ipmi'] });
    const held = steps(stuck, { fenceMethods: ['ipmi'], isPaused: true });

    expect(stuck.wait?.reason).toBe('no-fence-method');
    expect(found.actions).toEqual([{ kind: 'power-off', level: 0, method: 'ipmi' }]);
    expect(held).toMatchObject({ incident: { wait: { reason: 'brake' } }, actions: [] });
  });

  it('keeps to the ways it has begun with once an order was given', () => {
    const { incident: next } = steps(fenced(5_000), { fenceMethods: ['ipmi'] });

    expect(next.fenceMethods).toEqual(['redfish', 'pdu']);
  });
});

function steps(given: Incident, part: Partial<IncidentFacts> = {}) {
  return nextSteps(given, facts(part), defaultDetectionSettings, NOW);
}

/** Told by both methods, and the last has some time left. */
function twice(part: Partial<Incident> = {}): Incident {
  return fenced(60_000, { fences: [attempt(0, 60_000), attempt(1, 10_000)], ...part });
}

function attempt(level: number, agoMs: number) {
  return { level, askedAt: NOW - agoMs, answer: undefined };
}

function on(agoMs: number): PowerReading {
  return reading('on', agoMs);
}

function off(agoMs: number): PowerReading {
  return reading('off', agoMs);
}

function pdu(agoMs: number): PowerReading {
  return reading('off', agoMs, { level: 1 });
}

function byPdu(): readonly PowerReading[] {
  return offRow(3).map((each) => ({ ...each, level: 1 }));
}

function mute(agoMs: number, level = 0): PowerReading {
  return reading('unknown', agoMs, { level });
}

function mutes(count: number): readonly PowerReading[] {
  return Array.from({ length: count }, (_, index) => mute(900 - index * 100));
}

function earlier(each: PowerReading): PowerReading {
  return { ...each, at: each.at - 20_000 };
}

function lost(each: PowerReading): PowerReading {
  return { ...each, isLost: true };
}

function unwatched() {
  return { kind: 'condemned', since: NOW - 60_000, by: ['agent', 'node-lease'], isUnwatched: true } as const;
}

function alive() {
  return { kind: 'alive', by: 'agent', lastLifeAt: NOW - 1_000, isRebooted: false } as const;
}

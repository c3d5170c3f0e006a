import { describe, expect, it } from 'vitest';

import {
  bridge,
  healthyConfiguration,
  healthyFacts,
  healthyOvn,
  known,
  NOW,
  plainPort,
  unknown,
  unread,
} from '../../fixtures/build-facts.ts';
import { conditionWords, issueNames, judgeSeries } from '../../fixtures/judge-series.ts';
import type { OvnFacts, SouthboundFacts, SwitchFacts } from '../../switch-facts.ts';

const CONDITION = 'OVNControllerConnected';

describe('ovn-controller without the southbound database', () => {
  const looks = [look(0), away(1_000), away(4_000), away(6_000), look(7_000)];

  it('is called disconnected when that has held, and connected as soon as it is', () => {
    expect(judgeSeries(looks).map((judgement) => conditionWords(judgement, CONDITION))).toEqual([
      'True Connected',
      'True Connected',
      'True Connected',
      'False SouthboundDisconnected',
      'True Connected',
    ]);
  });

  it('is an issue from when it was lost, until it is back', () => {
    const judgements = judgeSeries(looks);

    expect(judgements.map((judgement) => issueNames(judgement))).toEqual([
      [],
      [],
      [],
      ['Critical SouthboundDisconnected ovn-controller'],
      [],
    ]);
    expect(judgements[3]?.status.issues).toMatchObject([
      {
        message: 'ovn-controller is not connected to the southbound database at tcp:10.0.0.10:6642',
        detectedAt: '2025-02-03T10:15:01Z',
      },
    ]);
    expect(judgements.map(({ status }) => status.ovnController?.connected)).toEqual([true, true, true, false, true]);
  });

  it('does not become connected by a doubt about something else', () => {
    const gone = look(0, { controller: { state: 'gone', since: NOW } });

    const words = judgeSeries([gone, away(1_000), look(2_000)]).map((each) => conditionWords(each, CONDITION));

    expect(words).toEqual(['False ControllerGone', 'False Settling', 'True Connected']);
  });

  it('leaves its flows in doubt after a while', () => {
    expect(issueNames(judgeSeries([look(0), away(1_000), away(61_000)]).at(-1))).toEqual([
      'Critical SouthboundDisconnected ovn-controller',
      'Warning FlowsUnattended br-int',
    ]);
  });

  it('is told at once that it has none configured', () => {
    const configuration = healthyConfiguration({ externalIds: new Map([['system-id', 'hv1']]) });

    const [judgement] = judgeSeries([{ ...away(0), configuration }]);

    expect(judgement?.status.issues?.[0]?.message).toBe(
      'ovn-controller knows no southbound database: external_ids:ovn-remote is not set',
    );
  });

  it('prefers the remote that is meant for its chassis', () => {
    const externalIds = new Map([
      ['system-id', 'hv1'],
      ['ovn-remote', 'tcp:a:1'],
      ['ovn-remote-hv1', 'tcp:b:2'],
    ]);

    const [judgement] = judgeSeries([{ ...look(0), configuration: healthyConfiguration({ externalIds }) }]);

    expect(judgement?.status.ovnController).toEqual({ connected: true, sbConnection: 'tcp:b:2', chassisId: 'hv1' });
  });
});

describe('a southbound database that accepts and does not answer', () => {
  it('makes the connection flap, which is a fault of its own and not over with the next connection', () => {
    const looks = [look(0), away(9_000), look(10_400), away(20_500), look(22_400), look(25_000)];

    const judgements = judgeSeries(looks);

    expect(judgements.map((judgement) => conditionWords(judgement, CONDITION))).toEqual([
      'True Connected',
      'True Connected',
      'True Connected',
      'False Flapping',
      'False Flapping',
      'False Flapping',
    ]);
    expect(judgements.at(-1)?.status.issues).toMatchObject([
      {
        severity: 'Critical',
        message:
          'The connection of ovn-controller to tcp:10.0.0.10:6642 flaps: a remote that accepts and does not answer',
        detectedAt: '2025-02-03T10:15:09Z',
      },
    ]);
    expect(conditionWords(judgeSeries([...looks, look(60_000)]).at(-1), CONDITION)).toBe('True Connected');
  });

  it('is seen by the agent alone when it is a unix socket', () => {
    const [judgement] = judgeSeries([overUnix(look(31_000, { southbound: unread('server') }))]);

    expect(conditionWords(judgement, CONDITION)).toBe('False SouthboundUnreadable');
    expect(judgement?.status.ovnController?.connected).toBe(false);
    expect(issueNames(judgement)).toEqual(['Critical SouthboundUnreadable ovn-controller']);
  });

  it('is only our own trouble where ovn-controller probes it itself', () => {
    const [judgement] = judgeSeries([look(31_000, { southbound: unread('server') })]);

    expect(conditionWords(judgement, CONDITION)).toBe('True Connected');
    expect(issueNames(judgement)).toEqual(['Warning SouthboundUnreadable ovn-controller']);
  });
});

describe('a southbound database that the agent has no way to', () => {
  it('leaves the condition alone, whatever its remote, and is a warning that says so', () => {
    const looks = [look(0), look(31_000, { southbound: unread('ours') })].map((each) => overUnix(each));

    const judgement = judgeSeries(looks).at(-1);

    expect(conditionWords(judgement, CONDITION)).toBe('True Connected');
    expect(judgement?.status.ovnController?.connected).toBe(true);
    expect(judgement?.status.issues).toMatchObject([
      {
        severity: 'Warning',
        reason: 'SouthboundNotChecked',
        message: 'The southbound database at unix:/run/ovn/ovnsb_db.sock is not checked: the agent has no way to it',
      },
    ]);
  });

  it('is no issue at all where the agent was never given one', () => {
    const [judgement] = judgeSeries([look(31_000, { southbound: unread('unconfigured') })]);

    expect(conditionWords(judgement, CONDITION)).toBe('True Connected');
    expect(issueNames(judgement)).toEqual([]);
  });

  it('does not mend one that has hung before', () => {
    const looks = [
      look(31_000, { southbound: unread('server') }),
      look(32_000, { southbound: unread('ours', NOW + 32_000) }),
    ];

    const judgement = judgeSeries(looks.map((each) => overUnix(each))).at(-1);

    expect(conditionWords(judgement, CONDITION)).toBe('Unknown NotAnswered');
    expect(issueNames(judgement)).toEqual(['Critical SouthboundUnreadable ovn-controller']);
  });
});

describe('a chassis that is not in the southbound database', () => {
  const nowhere: SouthboundFacts = { nbCfg: 7n, chassisNbCfg: undefined, chassis: undefined, portBindings: new Map() };
  const missing = (ms: number, part: Partial<OvnFacts> = {}): SwitchFacts =>
    look(ms, { southbound: known(nowhere, NOW + ms), ...part });

  it('is a fault once ovn-controller has had time to register it', () => {
    const judgements = judgeSeries([look(0), missing(1_000), missing(30_000), missing(31_000), look(32_000)]);

    expect(judgements.map((judgement) => conditionWords(judgement, CONDITION))).toEqual([
      'True Connected',
      'True Connected',
      'True Connected',
      'False ChassisNotRegistered',
      'True Connected',
    ]);
    expect(judgements[3]?.status.issues).toMatchObject([
      {
        severity: 'Critical',
        message: 'There is no chassis hv1 in the southbound database, so no port is bound here',
        advice: expect.stringContaining('started with another name (-n)'),
      },
    ]);
    expect(judgements[3]?.status.ovnController).toMatchObject({ connected: false, chassisId: 'hv1' });
  });

  it.each<[string, Partial<OvnFacts>]>([
    ['is away', { controller: { state: 'absent', since: NOW } }],
    ['is paused', { isPaused: known(true) }],
    ['is not connected', { connection: known('not connected', NOW + 1) }],
  ])('is not told beside an ovn-controller that %s', (_what, part) => {
    const last = judgeSeries([missing(0, part), missing(31_000, part)]).at(-1);

    expect(issueNames(last).filter((issue) => issue.includes('Chassis'))).toEqual([]);
  });

  it('is the one thing told, not each of its ports', () => {
    const unclaimed = { localBindings: known(new Map<string, number>()) };
    const externalIds = new Map([
      ['iface-id', 'vm1'],
      ['attached-mac', '52:54:00:00:00:01'],
    ]);
    const configuration = healthyConfiguration({ bridges: [bridge('br-int', [plainPort('tap1', { externalIds })])] });

    const looks = [0, 61_000].map((ms) => ({ ...missing(ms, unclaimed), configuration }));

    expect(issueNames(judgeSeries(looks).at(-1))).toEqual(['Critical ChassisNotRegistered ovn-controller']);
  });
});

describe('ovn-controller', () => {
  it.each<[string, Partial<OvnFacts>, string, readonly string[]]>([
    [
      'that is gone',
      { controller: { state: 'gone', since: NOW } },
      'False ControllerGone',
      ['Critical ControllerDown ovn-controller'],
    ],
    [
      'that was never started',
      { controller: { state: 'absent', since: NOW } },
      'False ControllerAbsent',
      ['Critical ControllerDown ovn-controller'],
    ],
    ['that has just fallen silent', { controller: { state: 'silent', since: NOW } }, 'Unknown ControllerSilent', []],
    [
      'that is silent for long',
      { controller: { state: 'silent', since: NOW - 10_000 } },
      'False ControllerSilent',
      ['Critical ControllerDown ovn-controller'],
    ],
    [
      'that is paused',
      { isPaused: known(true) },
      'False ControllerPaused',
      ['Warning ControllerPaused ovn-controller'],
    ],
    ['that does not say whether it is connected', { connection: unknown() }, 'Unknown NotAnswered', []],
    ['of which nothing else is known', { isPaused: unknown(), openFlowConnections: unknown() }, 'True Connected', []],
  ])('%s is told so', (_what, part, words, issues) => {
    const [judgement] = judgeSeries([look(0, part)]);

    expect(conditionWords(judgement, CONDITION)).toBe(words);
    expect(issueNames(judgement)).toEqual(issues);
  });

  it('that is paused is still connected', () => {
    expect(judgeSeries([look(0, { isPaused: known(true) })])[0]?.status.ovnController?.connected).toBe(true);
  });

  it('that has no connection to ovs-vswitchd is told so once it has had time', () => {
    const judgements = judgeSeries(
      [0, 5_000, 10_000].map((ms) => look(ms, { openFlowConnections: known(0, NOW + ms) })),
    );

    expect(judgements.map((judgement) => issueNames(judgement))).toEqual([
      [],
      [],
      ['Critical ControllerNotOnSwitch ovn-controller'],
    ]);
    expect(conditionWords(judgements.at(-1), CONDITION)).toBe('False ControllerNotOnSwitch');
  });

  it('that is paused need not be connected to ovs-vswitchd', () => {
    const part = { openFlowConnections: known(0, NOW + 60_000), isPaused: known(true) };

    expect(
      issueNames(judgeSeries([look(0, { ...part, openFlowConnections: known(0) }), look(60_000, part)]).at(-1)),
    ).toEqual(['Warning ControllerPaused ovn-controller', 'Warning FlowsUnattended br-int']);
  });

  it('tells how far it is on its bridge where its chassis does not', () => {
    expect(issueNames(judgeSeries([onBridge(0, '8'), onBridge(30_000, '8')]).at(-1))).toEqual([
      'Warning ControllerBehind ovn-controller',
    ]);
    expect(issueNames(judgeSeries([onBridge(0, '9'), onBridge(30_000, '9')]).at(-1))).toEqual([]);
  });

  it('keeps what was found of it while it cannot be asked', () => {
    const judgements = judgeSeries([look(0, { isPaused: known(true) }), look(1_000, { isPaused: unknown() })]);

    expect(issueNames(judgements.at(-1))).toEqual(['Warning ControllerPaused ovn-controller']);
    expect(conditionWords(judgements.at(-1), CONDITION)).toBe('Unknown NotAnswered');
  });

  it('that makes no progress with the southbound database is behind, one that does is busy', () => {
    const stuck = [0, 15_000, 30_000].map((ms) => look(ms, { southbound: progress(9n, 5n, ms) }));
    const busy = [0, 15_000, 30_000].map((ms) => look(ms, { southbound: progress(9n, 5n + BigInt(ms / 15_000), ms) }));

    expect(issueNames(judgeSeries(stuck).at(-1))).toEqual(['Warning ControllerBehind ovn-controller']);
    expect(conditionWords(judgeSeries(stuck).at(-1), CONDITION)).toBe('False ControllerBehind');
    expect(issueNames(judgeSeries(busy).at(-1))).toEqual([]);
  });
});

function look(ms: number, part: Partial<OvnFacts> = {}): SwitchFacts {
  const at = NOW + ms;
  return healthyFacts({ at, ovn: healthyOvn(part, at) });
}

function overUnix(facts: SwitchFacts): SwitchFacts {
  const externalIds = new Map([
    ['system-id', 'hv1'],
    ['ovn-remote', 'unix:/run/ovn/ovnsb_db.sock'],
  ]);
  return { ...facts, configuration: healthyConfiguration({ externalIds }) };
}

function onBridge(ms: number, cfg: string): SwitchFacts {
  const bridges = [bridge('br-int', [], { externalIds: new Map([['ovn-nb-cfg', cfg]]) })];
  return { ...look(ms, { southbound: progress(9n, undefined, ms) }), configuration: healthyConfiguration({ bridges }) };
}

function away(ms: number): SwitchFacts {
  return look(ms, { connection: known('not connected', NOW + ms) });
}

function progress(nbCfg: bigint, chassisNbCfg: bigint | undefined, ms: number) {
  const value: SouthboundFacts = { nbCfg, chassisNbCfg, chassis: 'hv1', portBindings: new Map([['vm1', 'hv1']]) };
  return known(value, NOW + ms);
}

import { describe, expect, it } from 'vitest';

import {
  bridge,
  enabledBond,
  healthyConfiguration,
  healthyFacts,
  known,
  NOW,
  unknown,
} from '../../fixtures/build-facts.ts';
import { conditionWords, issueNames, judgeSeries } from '../../fixtures/judge-series.ts';
import type { BridgeFacts, SwitchConfiguration, SwitchFacts } from '../../switch-facts.ts';

describe('ovs-vswitchd', () => {
  it('that is silent is a fault once that has lasted, and nothing it wrote is trusted before', () => {
    const silent = { state: 'silent', since: NOW } as const;
    const judgements = judgeSeries([0, 1_000, 10_000].map((ms) => look(ms, { vswitchd: ms === 0 ? up() : silent })));

    expect(judgements.map((judgement) => conditionWords(judgement, 'Ready'))).toEqual([
      'True Healthy',
      'Unknown VswitchdSilent',
      'False VswitchdSilent',
    ]);
    expect(issueNames(judgements.at(-1))).toEqual(['Critical VswitchdDown ovs-vswitchd']);
  });

  it('that answers and does not apply its configuration is stuck', () => {
    const stuck = { nextConfiguration: 9n, currentConfiguration: 4n };
    const judgements = judgeSeries([0, 30_000, 60_000].map((ms) => look(ms, {}, stuck)));

    expect(judgements.map((judgement) => issueNames(judgement))).toEqual([
      [],
      [],
      ['Critical ConfigurationBehind ovs-vswitchd'],
    ]);
    expect(conditionWords(judgements.at(-1), 'Ready')).toBe('False ConfigurationBehind');
  });

  it('says nothing of numbers of processes in its issue, so that the words stay the same', () => {
    const gone = { state: 'gone', since: NOW, why: 'process 4711 has ended' } as const;

    expect(judgeSeries([look(0, { vswitchd: gone })])[0]?.status.issues?.[0]?.message).toBe(
      'ovs-vswitchd has ended and left its traces',
    );
  });
});

describe('the database', () => {
  it.each([
    ['disconnected', 'False DatabaseDisconnected', 'The database of Open vSwitch cannot be reached: ENOENT'],
    ['silent', 'False DatabaseSilent', 'ovsdb-server accepts connections and does not answer'],
  ] as const)('that is %s is told so at once', (state, words, message) => {
    const [judgement] = judgeSeries([look(0, { database: { state, since: NOW, why: 'ENOENT' } })]);

    expect(conditionWords(judgement, 'OVSDBConnected')).toBe(words);
    expect(judgement?.status.issues).toMatchObject([{ severity: 'Critical', message }]);
  });
});

describe('a bridge', () => {
  it.each<[string, Partial<SwitchConfiguration>, readonly string[]]>([
    ['that the settings expect', { bridges: [bridge('br-int')] }, ['Critical BridgeUnhealthy br-ex']],
    [
      'that OVN maps a network to',
      { bridges: [bridge('br-int'), bridge('br-ex')], externalIds: mapping('physnet1:br-provider, physnet2:br-ex') },
      ['Critical BridgeUnhealthy br-provider'],
    ],
    [
      'that OVN plugs guests into',
      { bridges: [bridge('br-ex')], externalIds: new Map([['ovn-bridge', 'br-guests']]) },
      ['Critical BridgeUnhealthy br-guests'],
    ],
  ])('%s is missed', (_what, part, issues) => {
    const [judgement] = judgeSeries([look(0, {}, part)], { expectedBridges: ['br-ex'] });

    expect(issueNames(judgement)).toEqual(issues);
    expect(conditionWords(judgement, 'AllBridgesHealthy')).toBe('False BridgeMissing');
    expect(judgement?.status.bridges?.at(-1)).toMatchObject({ status: 'Missing' });
  });

  it('is not missed where nobody has asked for it', () => {
    const [judgement] = judgeSeries([look(0, { ovn: undefined, bonds: new Map() }, { bridges: [] })]);

    expect(issueNames(judgement)).toEqual([]);
    expect(conditionWords(judgement, 'AllBridgesHealthy')).toBe('True NoBridges');
    expect(conditionWords(judgement, 'AllBondsHealthy')).toBe('True NoBonds');
  });

  it('that does not answer OpenFlow is a fault once that has lasted', () => {
    const silent = unknown('timeout', NOW);
    const judgements = judgeSeries(
      [0, 9_000, 10_000].map((ms) =>
        look(
          ms,
          ms === 0
            ? {}
            : {
                flowTables: new Map([
                  ['br-int', silent],
                  ['br-provider', known([], NOW)],
                ]),
              },
        ),
      ),
    );

    expect(judgements.map((judgement) => conditionWords(judgement, 'AllBridgesHealthy'))).toEqual([
      'True BridgesActive',
      'True BridgesActive',
      'False BridgeSilent',
    ]);
    expect(judgements.at(-1)?.status.bridges?.[0]).toEqual({
      name: 'br-int',
      ports: 1,
      datapathType: 'netdev',
      status: 'Silent',
    });
  });

  it('that has lost its controllers is told with the next step', () => {
    const controllers = [{ target: 'tcp:10.0.0.1:6653', isConnected: false, lastError: 'Connection refused' }];
    const headless: Partial<BridgeFacts> = { failMode: 'secure', controllers };
    const part = { bridges: [bridge('br-int', [], headless)] };

    const judgement = judgeSeries([look(0, {}, part), look(10_000, {}, part)]).at(-1);

    expect(judgement?.status.conditions).toContainEqual({
      type: 'AllBridgesHealthy',
      status: 'False',
      reason: 'BridgeDisconnected',
      message:
        'Bridge br-int does not work: none of its controllers is connected (tcp:10.0.0.1:6653: Connection refused). With fail_mode secure new traffic is dropped: look at the controller.',
      lastTransitionTime: '2025-02-03T10:15:10Z',
    });
  });
});

describe('a bond', () => {
  it('that loses a member and then the other stays one issue, and goes when it is whole', () => {
    const states = [['eno1', 'eno2'], ['eno1'], [], ['eno1', 'eno2']];
    const judgements = judgeSeries(
      states.map((names, index) => look(index * 1_000, { bonds: new Map([['bond0', known(enabledBond(...names))]]) })),
    );

    expect(judgements.map(({ status }) => status.issues)).toMatchObject([
      [],
      [{ severity: 'Warning', detectedAt: '2025-02-03T10:15:01Z' }],
      [{ severity: 'Critical', detectedAt: '2025-02-03T10:15:01Z' }],
      [],
    ]);
    expect(judgements.map((judgement) => conditionWords(judgement, 'AllBondsHealthy'))).toEqual([
      'True BondsActive',
      'False BondDegraded',
      'False BondDown',
      'True BondsActive',
    ]);
    expect(judgements[1]?.status.issues?.[0]?.message).toBe('Bond bond0 is degraded: eno2 carries no traffic');
  });

  it('keeps its issue while ovs-vswitchd does not tell, and is not called healthy', () => {
    const degraded = look(0, { bonds: new Map([['bond0', known(enabledBond('eno1'))]]) });
    const blind = look(1_000, { bonds: new Map([['bond0', unknown('timeout')]]) });

    const judgement = judgeSeries([degraded, blind]).at(-1);

    expect(issueNames(judgement)).toEqual(['Warning BondUnhealthy bond0']);
    expect(conditionWords(judgement, 'AllBondsHealthy')).toBe('Unknown BondUnknown');
  });

  it('that is taken away takes its issue along', () => {
    const degraded = look(0, { bonds: new Map([['bond0', known(enabledBond('eno1'))]]) });

    expect(issueNames(judgeSeries([degraded, look(1_000, {}, { bridges: [bridge('br-int')] })]).at(-1))).toEqual([]);
  });
});

function look(
  ms: number,
  part: Partial<SwitchFacts> = {},
  configuration: Partial<SwitchConfiguration> = {},
): SwitchFacts {
  return healthyFacts({ at: NOW + ms, configuration: healthyConfiguration(configuration), ...part });
}

function up(): SwitchFacts['vswitchd'] {
  return { state: 'answering', since: 0 };
}

function mapping(text: string): ReadonlyMap<string, string> {
  return new Map([['ovn-bridge-mappings', text]]);
}

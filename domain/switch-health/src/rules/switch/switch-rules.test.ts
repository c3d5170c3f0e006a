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
import type { Answer, BridgeFacts, FlowTableFacts, SwitchConfiguration, SwitchFacts } from '../../switch-facts.ts';

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
                flowTables: new Map<string, Answer<readonly FlowTableFacts[]>>([
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
        'Bridge br-int does not work: none of its controllers is connected (tcp:10.0.0.1:6653). With fail_mode secure new traffic is dropped: look at the controller.',
      lastTransitionTime: '2025-02-03T10:15:10Z',
    });
  });
});

describe('a bridge that is new', () => {
  const [old, made] = [bridge('br-int'), bridge('br-new')];
  const unmade = bridge('br-new', [], { datapathId: undefined });

  it('is pending until it has its datapath and was asked, and no condition fails by that', () => {
    const flows = new Map([['br-int', known([], NOW)]]);
    const judgements = judgeSeries([
      look(0, {}, { bridges: [old] }),
      look(1, { flowTables: flows }, { bridges: [old, unmade] }),
      look(2, { flowTables: flows }, { bridges: [old, made] }),
      look(3, {}, { bridges: [old, made] }),
    ]);

    expect(judgements.map((each) => conditionWords(each, 'Ready'))).toEqual(Array(4).fill('True Healthy'));
    expect(judgements.flatMap((each) => issueNames(each))).toEqual([]);
    expect(judgements.map(({ status }) => status.bridges?.at(-1)?.status)).toEqual([
      'Active',
      'Pending',
      'Pending',
      'Active',
    ]);
  });

  it('is a fault when it stays without a datapath', () => {
    const looks = [0, 9_999, 10_000].map((ms) => look(ms, {}, { bridges: [old, unmade] }));
    const judgements = judgeSeries([look(-1, {}, { bridges: [old] }), ...looks]);

    expect(judgements.map((each) => conditionWords(each, 'AllBridgesHealthy'))).toEqual([
      'True BridgesActive',
      'True BridgesActive',
      'True BridgesActive',
      'False BridgeNoDatapath',
    ]);
    expect(judgements.map(({ reviewAt }) => reviewAt)).toEqual([undefined, NOW + 10_000, NOW + 10_000, undefined]);
    expect(judgements.at(-1)?.status.bridges?.at(-1)?.status).toBe('NoDatapath');
  });
});

describe('bridges', () => {
  it('are not blamed for what nobody could answer while the database or ovs-vswitchd was away', () => {
    const silent = new Map(['br-int', 'br-provider'].map((name) => [name, unknown('closed', NOW)]));
    const back = (ms: number): SwitchFacts =>
      look(ms, { flowTables: silent, database: { state: 'connected', since: NOW + 20_000 } });

    const judgements = judgeSeries([look(0), back(20_000), back(29_000), back(30_000)]);

    expect(judgements.map((each) => issueNames(each).length)).toEqual([0, 0, 0, 2]);
  });

  it('have a while to get their datapaths back when the database was started anew', () => {
    const bare = healthyConfiguration().bridges.map((each) => ({ ...each, datapathId: undefined }));
    const away = look(1_000, { database: { state: 'disconnected', since: NOW + 1_000 } });

    const judgements = judgeSeries([look(0), away, look(2_000, {}, { bridges: bare }), look(9_000)]);

    expect(judgements.map((each) => conditionWords(each, 'AllBridgesHealthy'))).toEqual([
      'True BridgesActive',
      'Unknown DatabaseDisconnected',
      'Unknown Settling',
      'True BridgesActive',
    ]);
    expect(issueNames(judgements[2])).toEqual([]);
  });
});

describe('a bond', () => {
  it('that loses a member and then the other stays one issue, and goes when it is whole', () => {
    const states = [['eno1', 'eno2'], ['eno1'], [], ['eno1', 'eno2'], ['eno1', 'eno2']];
    const judgements = judgeSeries(states.map((names, index) => withBond(index * 10_000, names)));

    expect(judgements.map(({ status }) => status.issues)).toMatchObject([
      [],
      [{ severity: 'Warning', detectedAt: '2025-02-03T10:15:10Z' }],
      [{ severity: 'Critical', detectedAt: '2025-02-03T10:15:10Z' }],
      [{ severity: 'Critical', detectedAt: '2025-02-03T10:15:10Z' }],
      [],
    ]);
    expect(judgements.map((judgement) => conditionWords(judgement, 'AllBondsHealthy'))).toEqual([
      'True BondsActive',
      'False BondDegraded',
      'False BondDown',
      'False BondDown',
      'True BondsActive',
    ]);
    expect(judgements[3]?.status.interfaces?.bonds).toMatchObject([{ status: 'Active', activeMembers: 2 }]);
    expect(judgements[3]?.reviewAt).toBe(NOW + 35_000);
    expect(judgements[1]?.status.issues?.[0]?.message).toBe('Bond bond0 is degraded: eno2 carries no traffic');
  });

  it('keeps its issue while ovs-vswitchd does not tell, and is not called healthy', () => {
    const blind = look(20_000, { bonds: new Map([['bond0', unknown('timeout')]]) });

    const judgement = judgeSeries([look(0), withBond(10_000, ['eno1']), blind]).at(-1);

    expect(issueNames(judgement)).toEqual(['Warning BondUnhealthy bond0']);
    expect(conditionWords(judgement, 'AllBondsHealthy')).toBe('Unknown BondUnknown');
  });

  it('that is taken away takes its issue along', () => {
    const looks = [look(0), withBond(10_000, ['eno1']), look(11_000, {}, { bridges: [bridge('br-int')] })];

    expect(judgeSeries(looks).map((each) => issueNames(each).length)).toEqual([0, 1, 0]);
  });

  it('that comes and goes is one issue with one time, while its members are told as they are', () => {
    const flaps = Array.from({ length: 20 }, (_each, index) =>
      withBond(10_000 + index * 100, index % 2 === 0 ? ['eno1'] : ['eno1', 'eno2']),
    );
    const judgements = judgeSeries([look(0), ...flaps]).slice(1);

    expect(new Set(judgements.map((each) => conditionWords(each, 'Ready')))).toEqual(new Set(['False BondDegraded']));
    expect(new Set(judgements.map(({ status }) => status.issues?.[0]?.detectedAt))).toEqual(
      new Set(['2025-02-03T10:15:10Z']),
    );
    // The first fault, its end, and then no other words.
    expect(new Set(judgements.map(({ status }) => status.issues?.[0]?.message))).toEqual(
      new Set([
        'Bond bond0 is degraded: eno2 carries no traffic',
        'Bond bond0 was degraded until a moment ago: eno2 carries no traffic',
        'Bond bond0 comes and goes (degraded): eno2 carries no traffic',
      ]),
    );
    expect(judgements.slice(-2).map(({ status }) => status.interfaces?.bonds?.[0]?.activeMembers)).toEqual([1, 2]);
  });

  it('that is new and was not asked about yet leaves its condition as it is', () => {
    const before = look(0, { bonds: new Map() }, { bridges: [bridge('br-int')] });
    const unasked = look(1, { bonds: new Map() });

    expect(conditionWords(judgeSeries([before, unasked]).at(-1), 'AllBondsHealthy')).toBe('True BondsActive');
    expect(conditionWords(judgeSeries([unasked]).at(-1), 'AllBondsHealthy')).toBe('Unknown BondUnknown');
  });

  it('may settle when ovs-vswitchd has just been started anew', () => {
    const first = { ...up(), processId: 1 };
    const second = { ...up(), processId: 2 };
    const restarted = (ms: number, names: readonly string[]): SwitchFacts => ({
      ...withBond(ms, names),
      vswitchd: second,
    });

    const settling = [look(0, { vswitchd: first }), restarted(60_000, []), restarted(64_000, ['eno1', 'eno2'])];
    const broken = [look(0, { vswitchd: first }), restarted(60_000, []), restarted(70_000, [])];

    expect(judgeSeries(settling).flatMap((each) => issueNames(each))).toEqual([]);
    expect(judgeSeries(settling).map((each) => conditionWords(each, 'Ready'))).toEqual(Array(3).fill('True Healthy'));
    expect(judgeSeries(broken).map((each) => issueNames(each).length)).toEqual([0, 0, 1]);
    expect(judgeSeries(broken)[1]?.reviewAt).toBe(NOW + 70_000);
  });
});

function look(
  ms: number,
  part: Partial<SwitchFacts> = {},
  configuration: Partial<SwitchConfiguration> = {},
): SwitchFacts {
  return healthyFacts({ at: NOW + ms, configuration: healthyConfiguration(configuration), ...part });
}

function withBond(ms: number, names: readonly string[]): SwitchFacts {
  return look(ms, { bonds: new Map([['bond0', known(enabledBond(...names), NOW + ms)]]) });
}

function up(): SwitchFacts['vswitchd'] {
  return { state: 'answering', since: 0 };
}

function mapping(text: string): ReadonlyMap<string, string> {
  return new Map([['ovn-bridge-mappings', text]]);
}

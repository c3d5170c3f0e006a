import { describe, expect, it } from 'vitest';

import { healthyConfiguration, healthyFacts, healthyOvn, known, NOW, unknown } from './fixtures/build-facts.ts';
import { bridge, card, guestPort, port } from './fixtures/build-facts.ts';
import { defaultHealthSettings, emptyMemory, judgeSwitch, memoryFromStatus, type SwitchFacts } from './index.ts';

const settings = defaultHealthSettings;

describe('a switch on which all is well', () => {
  it('is told with every field, five True conditions and no issue', () => {
    const members = ['eno1', 'eno2'].map((name) =>
      card(name, {
        lacpCurrent: true,
        statistics: new Map([
          ['rx_packets', 10n],
          ['tx_packets', 20n],
          ['rx_bytes', 1_000n],
          ['tx_bytes', 2_000n],
          ['rx_dropped', 1n],
          ['tx_errors', 0n],
        ]),
      }),
    );
    const configuration = healthyConfiguration({
      isDpdkInitialized: true,
      dpdkVersion: 'DPDK 23.11.1',
      bridges: [
        bridge('br-int', [guestPort('tap1', 'vm1')]),
        bridge('br-provider', [port('bond0', members, { bondMode: 'balance-tcp', lacp: 'active' })], {
          datapathType: '',
        }),
      ],
    });

    const { status, reviewAt } = judge(healthyFacts({ configuration }));

    expect(status).toEqual({
      ovsVersion: '3.4.1',
      ovsdVersion: '3.4.1',
      dpdkEnabled: true,
      dpdkVersion: '23.11.1',
      bridges: [
        { name: 'br-int', ports: 1, flows: 3, datapathType: 'netdev', status: 'Active' },
        { name: 'br-provider', ports: 1, flows: 3, datapathType: 'system', status: 'Active' },
      ],
      interfaces: {
        physical: [
          { name: 'eno1', status: 'Up', speed: '25Gbps', bond: 'bond0' },
          { name: 'eno2', status: 'Up', speed: '25Gbps', bond: 'bond0' },
        ],
        bonds: [{ name: 'bond0', mode: 'balance-tcp', status: 'Active', members: 2, activeMembers: 2 }],
      },
      ovnController: { connected: true, sbConnection: 'tcp:10.0.0.10:6642', chassisId: 'hv1' },
      flowStats: { totalFlows: 6, flowsPerTable: [{ table: 0, flows: 6 }] },
      metrics: { packetsReceived: 20, packetsSent: 40, bytesReceived: 2_000, bytesSent: 4_000, drops: 2, errors: 0 },
      conditions: [
        condition('Ready', 'Healthy', 'Open vSwitch works.'),
        condition('OVSDBConnected', 'Connected', 'The database of Open vSwitch answers.'),
        condition(
          'OVNControllerConnected',
          'Connected',
          'ovn-controller is connected to the southbound database and to ovs-vswitchd.',
        ),
        condition('AllBridgesHealthy', 'BridgesActive', 'All bridges work.'),
        condition('AllBondsHealthy', 'BondsActive', 'All members of all bonds carry traffic.'),
      ],
      issues: [],
    });
    expect(reviewAt).toBeUndefined();
  });

  it('is Ready without OVN, and says that OVN is not configured', () => {
    const { status } = judge(healthyFacts({ ovn: undefined }));

    expect(conditionsOf(status)).toMatchObject({
      Ready: 'True Healthy',
      OVNControllerConnected: 'Unknown NotConfigured',
    });
    expect(status).not.toHaveProperty('ovnController');
  });
});

describe('a switch that cannot be seen', () => {
  it('keeps what the database said last of a dead ovs-vswitchd, but says that nobody knows', () => {
    const { status } = judge(
      healthyFacts({
        vswitchd: { state: 'gone', since: NOW - 1_000, why: 'the process has ended' },
        flowTables: new Map([
          ['br-int', unknown()],
          ['br-provider', unknown()],
        ]),
        bonds: new Map([['bond0', unknown()]]),
        ovn: healthyOvn({ openFlowConnections: unknown() }),
      }),
    );

    expect(conditionsOf(status)).toEqual({
      Ready: 'False VswitchdGone',
      OVSDBConnected: 'True Connected',
      OVNControllerConnected: 'True Connected',
      AllBridgesHealthy: 'Unknown VswitchdGone',
      AllBondsHealthy: 'Unknown VswitchdGone',
    });
    expect(status.bridges).toEqual([
      { name: 'br-int', ports: 1, datapathType: 'netdev', status: 'Unknown' },
      { name: 'br-provider', ports: 1, datapathType: 'netdev', status: 'Unknown' },
    ]);
    expect(status.interfaces).toMatchObject({
      physical: [{ status: 'Unknown' }, { status: 'Unknown' }],
      bonds: [{ name: 'bond0', mode: 'balance-tcp', status: 'Unknown', members: 2 }],
    });
    expect(status.interfaces?.bonds?.[0]).not.toHaveProperty('activeMembers');
    expect(status).not.toHaveProperty('flowStats');
    expect(messages(status)).toEqual(['ovs-vswitchd has ended and left its traces: the process has ended']);
  });

  it('names the database as the cause when ovsdb-server is killed, and still tells bonds', () => {
    const { status } = judge(
      healthyFacts({
        database: { state: 'disconnected', since: NOW, why: 'ECONNREFUSED' },
        ovsdbServer: { state: 'gone', since: NOW },
        flowTables: new Map([['br-int', unknown()]]),
      }),
    );

    expect(conditionsOf(status)).toEqual({
      Ready: 'False DatabaseDisconnected',
      OVSDBConnected: 'False DatabaseDisconnected',
      OVNControllerConnected: 'True Connected',
      AllBridgesHealthy: 'Unknown DatabaseDisconnected',
      AllBondsHealthy: 'True BondsActive',
    });
    expect(status.interfaces?.bonds).toMatchObject([{ status: 'Active', activeMembers: 2 }]);
    expect(status.interfaces?.physical).toMatchObject([{ status: 'Unknown' }, { status: 'Unknown' }]);
  });

  it('knows nothing before the database was read', () => {
    const { status } = judge(healthyFacts({ configuration: undefined, ovn: undefined, bonds: new Map() }));

    expect(conditionsOf(status)).toMatchObject({
      Ready: 'Unknown NotReadYet',
      AllBridgesHealthy: 'Unknown NotReadYet',
      AllBondsHealthy: 'Unknown NotReadYet',
    });
    expect(status).not.toHaveProperty('bridges');
  });
});

describe('the times of a status', () => {
  it('move for a condition only when its status does', () => {
    const first = judge(healthyFacts());
    const second = judge(healthyFacts({ at: NOW + 60_000 }), first.memory);
    const silent = { state: 'silent', since: NOW + 90_000 } as const;
    const third = judge(healthyFacts({ at: NOW + 90_000, database: silent }), second.memory);

    expect(second.status.conditions).toEqual(first.status.conditions);
    expect(third.status.conditions).toMatchObject([
      { type: 'Ready', status: 'False', lastTransitionTime: '2025-02-03T10:16:30Z' },
      { type: 'OVSDBConnected', status: 'False', lastTransitionTime: '2025-02-03T10:16:30Z' },
      { type: 'OVNControllerConnected', status: 'True', lastTransitionTime: '2025-02-03T10:15:00Z' },
      { type: 'AllBridgesHealthy', status: 'Unknown', lastTransitionTime: '2025-02-03T10:16:30Z' },
      { type: 'AllBondsHealthy', status: 'True', lastTransitionTime: '2025-02-03T10:15:00Z' },
    ]);
  });

  it('are kept over a restart of the agent, of conditions and of issues', () => {
    const { status } = judge(healthyFacts({ configuration: orphaned() }), judge(orphanFacts(NOW - 60_000)).memory);

    const restarted = judge(orphanFacts(NOW + 5_000), memoryFromStatus(status));

    expect(messages(status)).toEqual(['Orphan port detected: qvo-abc123']);
    expect(restarted.status.issues).toEqual(status.issues);
    expect(restarted.status.conditions).toEqual(status.conditions);
  });

  it('say when to look again though nothing has changed', () => {
    const { status, reviewAt } = judge(orphanFacts(NOW));

    expect(status.issues).toEqual([]);
    expect(reviewAt).toBe(NOW + settings.orphanMs);
  });
});

function orphanFacts(at: number): SwitchFacts {
  return healthyFacts({ at, configuration: orphaned(), ovn: healthyOvn({ connection: known('connected', at) }, at) });
}

function orphaned() {
  const missing = { ofport: -1n, error: 'could not open network device qvo-abc123 (No such device)' };
  const orphan = port('qvo-abc123', [card('qvo-abc123', missing)]);
  return healthyConfiguration({ bridges: [bridge('br-int', [guestPort('tap1', 'vm1'), orphan])] });
}

function judge(facts: SwitchFacts, memory = emptyMemory) {
  return judgeSwitch({ facts, memory, settings });
}

function condition(type: string, reason: string, message: string) {
  return { type, status: 'True', reason, message, lastTransitionTime: '2025-02-03T10:15:00Z' };
}

function conditionsOf(status: ReturnType<typeof judge>['status']): Record<string, string> {
  return Object.fromEntries(
    (status.conditions ?? []).map(({ type, status: word, reason }) => [type, `${word} ${reason}`]),
  );
}

function messages(status: ReturnType<typeof judge>['status']): readonly string[] {
  return (status.issues ?? []).map(({ message }) => message);
}

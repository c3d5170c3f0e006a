import type { Row, Rows } from '@smalt/ovs';
import type { InterfaceFacts, SwitchConfiguration } from '@smalt/switch-health';
import { expect, it } from 'vitest';

import { ConfigurationReader } from './configuration-reader.ts';
import type { StatisticsTables, SwitchTables } from './switch-tables.ts';

it('puts bridges, ports, interfaces, controllers and mirrors together, sorted by name', () => {
  const configuration = new ConfigurationReader().read(cache(), counters(5n));

  expect(configuration).toMatchObject({
    ovsVersion: '3.1.0',
    bridges: [
      {
        name: 'br-int',
        controllers: [{ target: 'tcp:a:1', isConnected: false, lastError: 'Connection refused' }],
        mirrors: [{ name: 'm', outputPort: 'tap1' }],
        ports: [
          { name: 'bond0', interfaces: [{ name: 'eno1' }, { name: 'eno2' }] },
          { name: 'tap1', interfaces: [{ name: 'tap1', statistics: new Map([['rx_bytes', 5n]]) }] },
        ],
      },
    ],
  });
});

it('makes anew what has changed, and nothing else', () => {
  const reader = new ConfigurationReader();
  const rows = cache();
  const same = counters(5n);
  const before = interfacesOf(reader.read(rows, same));

  const again = interfacesOf(reader.read(rows, same));
  const counted = interfacesOf(reader.read(rows, counters(6n)));

  expect(again.map((facts, index) => facts === before[index])).toEqual([true, true, true]);
  expect(counted.map((facts, index) => facts === before[index])).toEqual([true, true, false]);
});

it('leaves out what a reference leads to that is not there yet, and knows nothing of an empty database', () => {
  const rows = cache();
  const halfway = { ...rows, Interface: new Map([...rows.Interface].filter(([uuid]) => uuid !== 'eno2')) };

  expect(interfacesOf(new ConfigurationReader().read(halfway, counters(1n))).map(({ name }) => name)).toEqual([
    'eno1',
    'tap1',
  ]);
  expect(new ConfigurationReader().read({ ...rows, Open_vSwitch: new Map() }, counters(1n))).toBeUndefined();
});

function interfacesOf(configuration: SwitchConfiguration | undefined): readonly InterfaceFacts[] {
  return configuration?.bridges.flatMap(({ ports }) => ports).flatMap(({ interfaces }) => interfaces) ?? [];
}

const NO_COUNTERS: ReadonlyMap<string, bigint> = new Map();

function counters(received: bigint): Rows<StatisticsTables> {
  const rows = [
    { _uuid: 'eno1', statistics: NO_COUNTERS },
    { _uuid: 'tap1', statistics: new Map([['rx_bytes', received]]) },
  ];
  return { Interface: byUuid(rows) };
}

const ROOT: Row<SwitchTables['Open_vSwitch']> = {
  _uuid: 'root',
  ovs_version: '3.1.0',
  dpdk_initialized: false,
  dpdk_version: 'none',
  external_ids: new Map(),
  next_cfg: 2n,
  cur_cfg: 1n,
  bridges: new Set(['br']),
};

const BRIDGE: Row<SwitchTables['Bridge']> = {
  _uuid: 'br',
  name: 'br-int',
  datapath_type: 'netdev',
  datapath_id: '01',
  fail_mode: undefined,
  external_ids: new Map(),
  controller: new Set(['c']),
  mirrors: new Set(['m']),
  ports: new Set(['tap1', 'bond0']),
};

function cache(): Rows<SwitchTables> {
  return {
    Open_vSwitch: byUuid([ROOT]),
    Bridge: byUuid([BRIDGE]),
    Port: byUuid([port('tap1', ['tap1']), port('bond0', ['eno2', 'eno1'])]),
    Interface: byUuid([card('tap1'), card('eno2'), card('eno1')]),
    Controller: byUuid([
      { _uuid: 'c', target: 'tcp:a:1', is_connected: false, status: new Map([['last_error', 'Connection refused']]) },
    ]),
    Mirror: byUuid([{ _uuid: 'm', name: 'm', external_ids: new Map(), output_port: 'tap1' }]),
  };
}

function port(name: string, interfaces: readonly string[]): Row<SwitchTables['Port']> {
  const nothing = { bond_mode: undefined, lacp: undefined, bond_active_slave: undefined, external_ids: new Map() };
  return { _uuid: name, name, ...nothing, interfaces: new Set(interfaces) };
}

function card(name: string): Row<SwitchTables['Interface']> {
  const states = { admin_state: 'up', link_state: 'up', link_speed: undefined, lacp_current: undefined };
  const maps = { external_ids: new Map(), options: new Map(), status: new Map() };
  return { _uuid: name, name, type: '', ofport: 1n, ifindex: 1n, ...states, error: undefined, ...maps };
}

function byUuid<T extends { readonly _uuid: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row._uuid, row]));
}

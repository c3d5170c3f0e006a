import type { RowChange, Rows } from '@smalt/ovs';
import { expect, it } from 'vitest';

import { hasNewBridge, touchesBonds, touchesBridges } from './changed-rows.ts';
import type { SwitchTables } from './switch-tables.ts';

const bond = port('bond0', ['if1', 'if2']);
const tap = port('tap1', ['if3']);
const cache: Rows<SwitchTables> = {
  Open_vSwitch: new Map(),
  Bridge: new Map(),
  Port: new Map([bond, tap].map((row) => [row._uuid, row])),
  Interface: new Map(),
  Controller: new Map(),
  Mirror: new Map(),
};

it.each<{ what: string; change: RowChange<SwitchTables>; bonds: boolean }>([
  { what: 'a member', change: link('if1'), bonds: true },
  { what: 'another interface', change: link('if3'), bonds: false },
  { what: 'a bond', change: { kind: 'modified', table: 'Port', row: bond, old: bond }, bonds: true },
  { what: 'a bond that shrank', change: { kind: 'modified', table: 'Port', row: tap, old: bond }, bonds: true },
  { what: 'a bond that is gone', change: { kind: 'deleted', table: 'Port', old: bond }, bonds: true },
  { what: 'another port', change: { kind: 'inserted', table: 'Port', row: tap }, bonds: false },
  { what: 'a bridge', change: { kind: 'inserted', table: 'Bridge', row: bridge(['p1']) }, bonds: false },
])('says $bonds to whether $what is about bonds', ({ change, bonds }) => {
  expect(touchesBonds([change], cache)).toBe(bonds);
});

it('tells bridges whose ports changed from those of which something else did', () => {
  const old = bridge(['p1']);
  const renamed: RowChange<SwitchTables> = {
    kind: 'modified',
    table: 'Bridge',
    old,
    row: { ...old, fail_mode: 'secure' },
  };
  const grown: RowChange<SwitchTables> = { kind: 'modified', table: 'Bridge', old, row: bridge(['p1', 'p2']) };

  expect(touchesBridges([renamed])).toBe(false);
  expect(touchesBridges([renamed, grown])).toBe(true);
  expect(touchesBridges([{ kind: 'deleted', table: 'Bridge', old }])).toBe(true);
});

it('tells bridges that ovs-vswitchd has just made from those that it has not, or long ago', () => {
  const wanted = bridge(['p1']);
  const made = { ...wanted, datapath_id: '1' };
  const change = (row: typeof wanted | typeof made, old: typeof row) =>
    hasNewBridge([{ kind: 'modified', table: 'Bridge', row, old }]);

  expect(hasNewBridge([{ kind: 'inserted', table: 'Bridge', row: wanted }])).toBe(false);
  expect(hasNewBridge([{ kind: 'inserted', table: 'Bridge', row: made }])).toBe(true);
  expect([change(made, wanted), change(made, made), change(wanted, made)]).toEqual([true, false, false]);
});

function link(uuid: string): RowChange<SwitchTables> {
  const row = {
    _uuid: uuid,
    name: uuid,
    type: '',
    ofport: 1n,
    ifindex: 1n,
    admin_state: 'up',
    link_state: 'down',
    link_speed: undefined,
    lacp_current: undefined,
    error: undefined,
    external_ids: new Map(),
    options: new Map(),
    status: new Map(),
  };
  return { kind: 'modified', table: 'Interface', row, old: { ...row, link_state: 'up' } };
}

function port(name: string, interfaces: readonly string[]) {
  return {
    _uuid: name,
    name,
    bond_mode: undefined,
    lacp: undefined,
    bond_active_slave: undefined,
    external_ids: new Map<string, string>(),
    interfaces: new Set(interfaces),
  };
}

function bridge(ports: readonly string[]) {
  return {
    _uuid: 'b',
    name: 'br-int',
    datapath_type: '',
    datapath_id: undefined,
    fail_mode: undefined,
    external_ids: new Map<string, string>(),
    controller: new Set<string>(),
    mirrors: new Set<string>(),
    ports: new Set(ports),
  };
}

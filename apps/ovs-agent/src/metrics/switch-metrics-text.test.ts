import { expect, it } from 'vitest';

import { switchView } from '../fixtures/switch-view.ts';
import { switchMetricsText, type SwitchView } from './switch-metrics-text.ts';

it('prints everything that is known, and leaves out what is not', () => {
  const lines = linesOf(switchView());

  expect(lines).toEqual(
    expect.arrayContaining([
      'ovs_up 1',
      'ovs_info{ovs_version="3.1.0",ovsdb_version="3.1.0",schema_version="8.3.1",dpdk_version="none"} 1',
      'ovs_daemon_up{daemon="ovn-controller"} 0',
      'ovs_condition{type="Ready"} 0',
      'ovs_issues{severity="Warning",rule="BondUnhealthy"} 2',
      'ovs_bridge_ports{bridge="br-int"} 2',
      'ovs_bridge_flows{bridge="br-int"} 43',
      'ovs_table_flows{bridge="br-int",table="8"} 40',
      'ovs_bond_members{bridge="br-int",bond="bond0"} 2',
      'ovs_bond_members_enabled{bridge="br-int",bond="bond0"} 1',
      'ovs_interface_receive_bytes_total{bridge="br-int",port="tap\\"1",interface="tap\\"1"} 2',
      'ovn_controller_connected 0',
      'ovn_southbound_lag 3',
      'ovs_stale_flows 2',
    ]),
  );
  expect(lines.filter((line) => line.includes('br-ex') || line.includes('AllBondsHealthy'))).toEqual([]);
});

it('says that Open vSwitch is down while its database is away', () => {
  const { facts, status } = switchView();
  const away: SwitchView = { facts: { ...facts, database: { state: 'disconnected', since: 0 } }, status };

  expect(linesOf(away)).toContain('ovs_up 0');
});

it('prints a thousand interfaces in pieces, each metric with one header', () => {
  const view = switchView();
  const [bridge] = view.facts.configuration?.bridges ?? [];
  const [port] = bridge?.ports ?? [];
  if (view.facts.configuration === undefined || bridge === undefined || port === undefined) throw new Error('odd view');
  const ports = Array.from({ length: 1_000 }, (_, index) => ({ ...port, name: `tap${index}` }));
  const configuration = { ...view.facts.configuration, bridges: [{ ...bridge, ports }] };
  const pieces = [...switchMetricsText({ ...view, facts: { ...view.facts, configuration } })];

  const headers = pieces.join('').match(/^# TYPE \S+/gm) ?? [];

  expect(pieces.length).toBeGreaterThan(10);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(40_000);
  expect(new Set(headers).size).toBe(headers.length);
});

function linesOf(view: SwitchView): readonly string[] {
  return [...switchMetricsText(view)].join('').split('\n');
}

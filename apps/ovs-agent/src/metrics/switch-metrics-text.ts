import type { OVSNodeStatus } from '@smalt/ovs-api';
import { metricHeader, metricLabels, metricLine, type MetricKind } from '@smalt/service-runtime';
import type { Answer, SwitchFacts } from '@smalt/switch-health';

import { counterOf, INTERFACE_COUNTERS } from './interface-metrics.ts';

const PIECE_CHARACTERS = 32_768;

/** One metric with all its series. */
interface Family {
  readonly name: string;
  readonly kind: MetricKind;
  readonly help: string;
  readonly labels: readonly string[];
  readonly series: Iterable<readonly [values: readonly string[], value: number]>;
}

/** What was seen last and what is thought of it. */
export interface SwitchView {
  readonly facts: SwitchFacts;
  readonly status: OVSNodeStatus;
}

/** Prints what is known of the switch for Prometheus, piece by piece: a thousand interfaces are a megabyte. */
export function* switchMetricsText(view: SwitchView): Generator<string, void> {
  let piece = '';
  for (const { name, kind, help, labels, series } of families(view)) {
    let hasHeader = false;
    for (const [values, value] of series) {
      if (!hasHeader) piece += `${metricHeader(kind, name, help)}\n`;
      hasHeader = true;
      piece += `${metricLine(name, metricLabels(labels, values), value)}\n`;
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

function* families(view: SwitchView): Generator<Family, void> {
  const { facts, status } = view;
  yield* stateFamilies(facts, status);
  yield gauge('ovs_issues', 'Issues that there are now.', ['severity', 'rule'], issueCounts(status).values());
  yield* bridgeFamilies(facts);
  yield* interfaceFamilies(facts);
  yield* bondFamilies(facts);
  yield* ovnFamilies(facts);
}

function* stateFamilies(facts: SwitchFacts, { conditions = [] }: OVSNodeStatus): Generator<Family, void> {
  const { database, vswitchd, ovsdbServer, configuration, ovn } = facts;
  const isUp = database.state === 'connected' && vswitchd.state === 'answering';
  yield gauge('ovs_up', 'Whether the database is connected and ovs-vswitchd answers.', [], [[[], isUp ? 1 : 0]]);
  const versions = [vswitchd.version, ovsdbServer.version, database.schemaVersion, configuration?.dpdkVersion];
  const names = ['ovs_version', 'ovsdb_version', 'schema_version', 'dpdk_version'];
  yield gauge('ovs_info', 'Always 1; the labels say what runs.', names, [[versions.map((text) => text ?? ''), 1]]);
  const daemons = {
    'ovs-vswitchd': vswitchd,
    'ovsdb-server': ovsdbServer,
    ...(ovn && { 'ovn-controller': ovn.controller }),
  };
  const answers = Object.entries(daemons).map(([name, { state }]) => [[name], state === 'answering' ? 1 : 0] as const);
  yield gauge('ovs_daemon_up', 'Whether a daemon answers.', ['daemon'], answers);
  const held = conditions.filter((condition) => condition.status !== 'Unknown');
  const series = held.map(({ type, status }) => [[type], status === 'True' ? 1 : 0] as const);
  yield gauge('ovs_condition', 'Whether a condition holds; left out while that is not known.', ['type'], series);
}

function* bridgeFamilies({ configuration, flowTables }: SwitchFacts): Generator<Family, void> {
  const bridges = configuration?.bridges ?? [];
  const ports = bridges.map(
    ({ name, ports: all }) => [[name], all.filter((port) => port.name !== name).length] as const,
  );
  yield gauge('ovs_bridge_ports', 'Ports of a bridge, without its own.', ['bridge'], ports);
  const tables = [...flowTables].flatMap(([bridge, answer]) =>
    answer.kind === 'known' ? [{ bridge, tables: answer.value }] : [],
  );
  const sums = tables.map(
    ({ bridge, tables: all }) => [[bridge], all.reduce((sum, { flows }) => sum + flows, 0)] as const,
  );
  yield gauge('ovs_bridge_flows', 'OpenFlow flows of a bridge.', ['bridge'], sums);
  const each = tables.flatMap(({ bridge, tables: all }) =>
    all.map(({ table, flows }) => [[bridge, String(table)], flows] as const),
  );
  yield gauge('ovs_table_flows', 'OpenFlow flows of a table.', ['bridge', 'table'], each);
}

function* interfaceFamilies({ configuration }: SwitchFacts): Generator<Family, void> {
  const labels = ['bridge', 'port', 'interface'];
  const all = (configuration?.bridges ?? []).flatMap((bridge) =>
    bridge.ports.flatMap((port) =>
      port.interfaces.map((facts) => ({ facts, values: [bridge.name, port.name, facts.name] })),
    ),
  );
  const links = all.flatMap(({ facts, values }) =>
    facts.linkState === undefined ? [] : [[values, facts.linkState === 'up' ? 1 : 0] as const],
  );
  yield gauge('ovs_interface_up', 'Whether the link of an interface is up.', labels, links);
  for (const counter of INTERFACE_COUNTERS) {
    const series = all.flatMap(({ facts, values }) => {
      const value = counterOf(facts, counter);
      return value === undefined ? [] : [[values, value] as const];
    });
    yield { name: counter.name, kind: 'counter', help: counter.help, labels, series };
  }
}

function* bondFamilies({ configuration, bonds }: SwitchFacts): Generator<Family, void> {
  const labels = ['bridge', 'bond'];
  const all = (configuration?.bridges ?? []).flatMap((bridge) =>
    bridge.ports.filter(({ interfaces }) => interfaces.length > 1).map((port) => ({ bridge: bridge.name, port })),
  );
  const members = all.map(({ bridge, port }) => [[bridge, port.name], port.interfaces.length] as const);
  yield gauge('ovs_bond_members', 'Members that a bond is configured with.', labels, members);
  const enabled = all.flatMap(({ bridge, port }) => {
    const answer = bonds.get(port.name);
    if (answer?.kind !== 'known' || answer.value === undefined) return [];
    return [[[bridge, port.name], answer.value.members.filter(({ isEnabled }) => isEnabled).length] as const];
  });
  yield gauge('ovs_bond_members_enabled', 'Members of a bond that carry traffic.', labels, enabled);
}

function* ovnFamilies({ ovn }: SwitchFacts): Generator<Family, void> {
  if (ovn === undefined) return;
  const connected = valueOf(ovn.connection, (state) => (state === 'connected' ? 1 : 0));
  yield gauge('ovn_controller_connected', 'Whether ovn-controller says that it is connected.', [], connected);
  const lag = valueOf(ovn.southbound, ({ nbCfg, chassisNbCfg }) =>
    chassisNbCfg === undefined ? undefined : Number(nbCfg - chassisNbCfg),
  );
  yield gauge('ovn_southbound_lag', 'Changes that this node has not carried out yet.', [], lag);
  const stale = valueOf(
    ovn.staleFlows,
    ({ unexplained }) => unexplained && [...unexplained.values()].reduce((sum, count) => sum + count, 0),
  );
  yield gauge('ovs_stale_flows', 'Flows that the southbound database does not explain.', [], stale);
}

function issueCounts({ issues = [] }: OVSNodeStatus): ReadonlyMap<string, readonly [readonly string[], number]> {
  const counts = new Map<string, readonly [readonly string[], number]>();
  for (const { severity, reason = '' } of issues) {
    const key = `${severity} ${reason}`;
    counts.set(key, [[severity, reason], (counts.get(key)?.[1] ?? 0) + 1]);
  }
  return counts;
}

function valueOf<T>(answer: Answer<T> | undefined, read: (value: T) => number | undefined): Family['series'] {
  const value = answer?.kind === 'known' ? read(answer.value) : undefined;
  return value === undefined ? [] : [[[], value]];
}

function gauge(name: string, help: string, labels: readonly string[], series: Family['series']): Family {
  return { name, kind: 'gauge', help, labels, series };
}

import {
  connectionStatus,
  isPaused,
  readDatapathCounters,
  showBonds,
  showCoverage,
  showDatapaths,
  showForwardingTable,
  showLacp,
  showMemory,
} from '@smalt/ovs';
import {
  wallTime,
  type BridgeFacts,
  type InterfaceFacts,
  type PortFacts,
  type SwitchConfiguration,
  type SwitchFacts,
} from '@smalt/switch-health';

import { OvsAgentError } from '../../ovs-agent-error.ts';
import type { SwitchAccess } from '../../switch-access.ts';
import { ask } from './ask.ts';
import { onTheWall } from './on-the-wall.ts';
import type { RecentChanges } from './recent-changes.ts';

export interface DiagnosticsDeps {
  readonly access: SwitchAccess;
  readonly changes: Pick<RecentChanges, 'of'>;
}

type Report = Readonly<Record<string, unknown>>;

/** Everything about the switch at once: its daemons, datapaths, bridges and what happened last. */
export async function describeSwitch({ access, changes }: DiagnosticsDeps, signal: AbortSignal): Promise<Report> {
  const facts = access.facts();
  const switchd = async (): ReturnType<SwitchAccess['unixctl']> => await access.unixctl('ovs-vswitchd', signal);
  const options = { signal };
  const [datapaths, counters, bonds, lacp, memory, coverage] = await Promise.all([
    ask(signal, async () => await showDatapaths(await switchd(), options)),
    ask(signal, async () => await readDatapathCounters(await switchd(), options)),
    ask(signal, async () => await showBonds(await switchd(), options)),
    ask(signal, async () => await showLacp(await switchd(), options)),
    ask(signal, async () => await showMemory(await switchd(), options)),
    ask(signal, async () => await showCoverage(await switchd(), options)),
  ]);
  return {
    at: new Date(wallTime(facts)).toISOString(),
    database: onTheWall(facts.database, facts.wallAheadMs),
    daemons: daemonsOf(facts),
    bridges:
      facts.configuration?.bridges.map((bridge) => bridgeSummary(bridge, flowTablesOf(facts, bridge.name))) ?? [],
    datapaths,
    datapathCounters: counters,
    bonds,
    lacp,
    memory,
    coverage,
    ovn: facts.ovn === undefined ? undefined : await describeOvn(access, signal),
    changes: changes.of(),
  };
}

function daemonsOf({ vswitchd, ovsdbServer, ovn, wallAheadMs }: SwitchFacts): Report {
  return {
    'ovs-vswitchd': onTheWall(vswitchd, wallAheadMs),
    'ovsdb-server': onTheWall(ovsdbServer, wallAheadMs),
    'ovn-controller': ovn && onTheWall(ovn.controller, wallAheadMs),
  };
}

function flowTablesOf({ flowTables, wallAheadMs }: SwitchFacts, bridge: string): unknown {
  const answer = flowTables.get(bridge);
  return answer && onTheWall(answer, wallAheadMs);
}

async function describeOvn(access: SwitchAccess, signal: AbortSignal): Promise<Report> {
  const controller = async (): ReturnType<SwitchAccess['unixctl']> => await access.unixctl('ovn-controller', signal);
  const { ovn, wallAheadMs } = access.facts();
  const [connection, paused] = await Promise.all([
    ask(signal, async () => await connectionStatus(await controller(), { signal })),
    ask(signal, async () => await isPaused(await controller(), { signal })),
  ]);
  return {
    connection,
    isPaused: paused,
    southbound: ovn?.southbound && onTheWall(ovn.southbound, wallAheadMs),
    staleFlows: ovn?.staleFlows && onTheWall(ovn.staleFlows, wallAheadMs),
  };
}

/** One bridge: its ports with numbers and counters, what it has learned, and its tables. */
export async function describeBridge(
  { access, changes }: DiagnosticsDeps,
  name: string,
  signal: AbortSignal,
): Promise<Report> {
  const facts = access.facts();
  const bridge = configurationOf(facts.configuration).bridges.find((each) => each.name === name);
  if (bridge === undefined) throw notHere('bridge', name, access.bridges());
  const learned = await ask(signal, async () => {
    return await showForwardingTable(await access.unixctl('ovs-vswitchd', signal), name, { signal });
  });
  const { ports, ...rest } = bridge;
  return {
    ...rest,
    ports: ports.map(portSummary),
    flowTables: flowTablesOf(facts, name),
    learned,
    changes: changes.of(name),
  };
}

/** One port or interface: its state and counters, its bond and LACP, what was learned behind it, and its logical port. */
export async function describePort(
  { access, changes }: DiagnosticsDeps,
  name: string,
  signal: AbortSignal,
): Promise<Report> {
  const facts = access.facts();
  const found = findPort(configurationOf(facts.configuration), name);
  if (found === undefined) {
    const names = facts.configuration?.bridges.flatMap(({ ports }) => ports.map((port) => port.name)) ?? [];
    throw notHere('port', name, names);
  }
  const { bridge, port } = found;
  const isBond = port.interfaces.length > 1;
  const switchd = async (): ReturnType<SwitchAccess['unixctl']> => await access.unixctl('ovs-vswitchd', signal);
  const [bonds, lacp, learned] = await Promise.all([
    isBond
      ? ask(signal, async () => (await showBonds(await switchd(), { signal })).find((each) => each.name === port.name))
      : undefined,
    isBond
      ? ask(signal, async () => (await showLacp(await switchd(), { signal })).find((each) => each.name === port.name))
      : undefined,
    ask(signal, async () => {
      const entries = await showForwardingTable(await switchd(), bridge.name, { signal });
      const numbers = new Set(port.interfaces.map(({ ofport }) => String(ofport)));
      return entries.filter((entry) => numbers.has(entry.port));
    }),
  ]);
  const logicalPorts = port.interfaces
    .map(({ externalIds }) => externalIds.get('iface-id'))
    .filter((id) => id !== undefined);
  return {
    bridge: bridge.name,
    ...port,
    bond: bonds,
    lacp,
    learned,
    ovn: logicalPorts.map((logicalPort) => bindingOf(access, logicalPort)),
    changes: [...new Set([port.name, ...port.interfaces.map((each) => each.name)])].flatMap((each) => changes.of(each)),
  };
}

function bindingOf(access: SwitchAccess, logicalPort: string): Report {
  const { ovn } = access.facts();
  const { southbound, localBindings } = ovn ?? {};
  return {
    logicalPort,
    boundHere: localBindings?.kind === 'known' ? (localBindings.value.get(logicalPort) ?? 0) > 0 : undefined,
    chassis: southbound?.kind === 'known' ? southbound.value.portBindings.get(logicalPort) : undefined,
    ownChassis: southbound?.kind === 'known' ? southbound.value.chassis : undefined,
  };
}

function bridgeSummary({ ports, ...bridge }: BridgeFacts, flowTables: unknown): Report {
  const devices = ports.flatMap(({ interfaces }) => interfaces);
  const broken = devices.filter(({ error }) => error !== undefined);
  return {
    ...bridge,
    ports: ports.map(({ name }) => name),
    errors: broken.map(({ name, error }) => ({ name, error })),
    flowTables,
  };
}

function portSummary({ name, interfaces, bondMode, externalIds }: PortFacts): Report {
  return { name, bondMode, externalIds, interfaces: interfaces.map(interfaceSummary) };
}

function interfaceSummary(device: InterfaceFacts): Report {
  const { name, type, ofport, adminState, linkState, error, statistics } = device;
  return {
    name,
    type,
    ofport,
    adminState,
    linkState,
    error,
    logicalPort: device.externalIds.get('iface-id'),
    statistics,
  };
}

function findPort(
  { bridges }: SwitchConfiguration,
  name: string,
): { readonly bridge: BridgeFacts; readonly port: PortFacts } | undefined {
  for (const bridge of bridges) {
    const port =
      bridge.ports.find((each) => each.name === name) ??
      bridge.ports.find(({ interfaces }) => interfaces.some((each) => each.name === name));
    if (port !== undefined) return { bridge, port };
  }
  return undefined;
}

function configurationOf(configuration: SwitchConfiguration | undefined): SwitchConfiguration {
  if (configuration !== undefined) return configuration;
  throw new OvsAgentError('unavailable', 'the switch has not been read yet: try again');
}

function notHere(what: string, name: string, names: readonly string[]): OvsAgentError {
  const shown = names.slice(0, 50).join(', ');
  return new OvsAgentError('not-found', `there is no ${what} "${name}" here; there are: ${shown}`);
}

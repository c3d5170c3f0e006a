import { realpath } from 'node:fs/promises';

import type { OvsdbState } from '@smalt/ovs';
import { readOvnSettings, type SwitchConfiguration } from '@smalt/switch-health';

import type { SwitchDaemon } from '../switch-access.ts';
import { BondWatch } from './bond-watch.ts';
import { ControllerWatch } from './controller-watch.ts';
import { countBridgeConnections } from './count-bridge-connections.ts';
import { DaemonWatch } from './daemon-watch.ts';
import { FlowTableWatch } from './flow-table-watch.ts';
import type { ObserverOptions } from './observer-options.ts';
import { openSwitchDatabase, type OpenedSwitchDatabase } from './switch-database.ts';

/** Everything that is asked about the switch itself. */
export interface SwitchSources extends Pick<OpenedSwitchDatabase, 'database' | 'statistics'> {
  readonly daemons: Readonly<Record<SwitchDaemon, DaemonWatch>>;
  readonly flowTables: FlowTableWatch;
  readonly bonds: BondWatch;
  readonly controller: ControllerWatch;
}

/** Opens them all, into a stack that closes them. Nothing is asked yet but the database. */
export function openSwitchSources(options: ObserverOptions, stack: AsyncDisposableStack): SwitchSources {
  const { runDirectories, proc, clock, random, metrics, logger, times } = options;
  const { answerMs } = times;
  const opened = stack.use(
    openSwitchDatabase({
      runDirectories,
      answerMs,
      clock,
      random,
      onWarning: ({ kind, message, cause }) => logger.debug({ kind, error: cause }, `the database: ${message}`),
    }),
  );
  countReconnects(opened.database, () => metrics.countReconnect('database'));
  const watch = (daemon: SwitchDaemon): DaemonWatch =>
    stack.use(new DaemonWatch({ daemon, runDirectories, proc, answerMs, clock, metrics }));
  const daemons = {
    'ovs-vswitchd': watch('ovs-vswitchd'),
    'ovsdb-server': watch('ovsdb-server'),
    'ovn-controller': watch('ovn-controller'),
  };
  const flowTables = stack.use(new FlowTableWatch({ runDirectories, answerMs, clock, metrics }));
  const vswitchd = (signal: AbortSignal) => daemons['ovs-vswitchd'].unixctl(signal);
  const bonds = new BondWatch({ unixctl: vswitchd, clock, metrics });
  const controller = new ControllerWatch({
    controller: (signal) => daemons['ovn-controller'].unixctl(signal),
    vswitchd,
    ownConnections: () => flowTables.countConnections(),
    bridgeConnections: (configuration) => countConnections(configuration, { ...options, daemons, flowTables }),
    clock,
    metrics,
  });
  return { database: opened.database, statistics: opened.statistics, daemons, flowTables, bonds, controller };
}

async function countConnections(
  configuration: SwitchConfiguration,
  sources: ObserverOptions & Pick<SwitchSources, 'daemons' | 'flowTables'>,
): Promise<number | undefined> {
  const { daemons, flowTables, proc } = sources;
  const bridge = readOvnSettings(configuration).integrationBridge;
  return await countBridgeConnections({
    bridge,
    directories: await hostDirectories(sources),
    proc,
    vswitchdId: daemons['ovs-vswitchd'].facts.processId,
    controllerId: daemons['ovn-controller'].facts.processId,
    own: () => flowTables.countConnections(bridge),
  });
}

/** The run directories as the host calls them, links followed, however they are seen from here. */
async function hostDirectories({ runDirectories, root }: ObserverOptions): Promise<readonly string[]> {
  const real = await Promise.all(runDirectories.map((directory) => realpath(directory).catch(() => directory)));
  const inside = root === '/' ? '' : root;
  const named = [...runDirectories, ...real];
  return named.map((path) => (path.startsWith(`${inside}/`) ? path.slice(inside.length) : path));
}

/** Calls back for each connection but the first. */
export function countReconnects(
  database: { subscribe(listener: (change: { readonly state: OvsdbState }) => void): () => void },
  count: () => void,
): void {
  let wasConnected = false;
  let isConnected = false;
  database.subscribe(({ state }) => {
    const now = state.kind !== 'disconnected';
    if (now && !isConnected && wasConnected) count();
    isConnected = now;
    wasConnected ||= state.kind === 'connected';
  });
}

import type { Row, Rows } from '@smalt/ovs';
import type {
  BridgeFacts,
  ControllerFacts,
  InterfaceFacts,
  MirrorFacts,
  PortFacts,
  SwitchConfiguration,
} from '@smalt/switch-health';

import type { StatisticsTables, SwitchTables } from './switch-tables.ts';

type Cache = Rows<SwitchTables>;
type Counters = Rows<StatisticsTables>;
type BridgeRow = Row<SwitchTables['Bridge']>;
type PortRow = Row<SwitchTables['Port']>;
type InterfaceRow = Row<SwitchTables['Interface']>;

const NO_COUNTERS: ReadonlyMap<string, bigint> = new Map();

interface KnownInterface {
  readonly row: InterfaceRow;
  readonly statistics: ReadonlyMap<string, bigint>;
  readonly facts: InterfaceFacts;
}

/** Makes facts of the rows of the database. Of a thousand interfaces it makes those anew that changed. */
export class ConfigurationReader {
  #interfaces = new Map<string, KnownInterface>();

  /** Undefined where the database has no root row, which is so until Open vSwitch was started once. */
  read(cache: Cache, counters: Counters): SwitchConfiguration | undefined {
    const [root] = cache.Open_vSwitch.values();
    if (root === undefined) return undefined;
    const interfaces = new Map<string, KnownInterface>();
    const read = (uuid: string): InterfaceFacts | undefined => {
      const row = cache.Interface.get(uuid);
      if (row === undefined) return undefined;
      const known = this.#interface(row, counters.Interface.get(uuid)?.statistics ?? NO_COUNTERS);
      interfaces.set(uuid, known);
      return known.facts;
    };
    const bridges = found(root.bridges, cache.Bridge).map((row) => bridgeFacts(row, cache, read));
    this.#interfaces = interfaces;
    return {
      ovsVersion: root.ovs_version,
      isDpdkInitialized: root.dpdk_initialized,
      dpdkVersion: root.dpdk_version,
      externalIds: root.external_ids,
      nextConfiguration: root.next_cfg,
      currentConfiguration: root.cur_cfg,
      bridges: bridges.toSorted(byName),
    };
  }

  #interface(row: InterfaceRow, statistics: ReadonlyMap<string, bigint>): KnownInterface {
    const known = this.#interfaces.get(row._uuid);
    if (known?.row === row && known.statistics === statistics) return known;
    return { row, statistics, facts: interfaceFacts(row, statistics) };
  }
}

function bridgeFacts(
  row: BridgeRow,
  cache: Cache,
  readInterface: (uuid: string) => InterfaceFacts | undefined,
): BridgeFacts {
  return {
    name: row.name,
    datapathType: row.datapath_type,
    datapathId: row.datapath_id,
    failMode: row.fail_mode,
    externalIds: row.external_ids,
    controllers: found(row.controller, cache.Controller).map(controllerFacts),
    mirrors: found(row.mirrors, cache.Mirror).map((mirror) => mirrorFacts(mirror, cache)),
    ports: found(row.ports, cache.Port)
      .map((port) => portFacts(port, readInterface))
      .toSorted(byName),
  };
}

function controllerFacts({ target, is_connected, status }: Row<SwitchTables['Controller']>): ControllerFacts {
  return { target, isConnected: is_connected, lastError: status.get('last_error') };
}

function mirrorFacts({ name, external_ids, output_port }: Row<SwitchTables['Mirror']>, cache: Cache): MirrorFacts {
  const outputPort = output_port === undefined ? undefined : cache.Port.get(output_port)?.name;
  return { name, externalIds: external_ids, outputPort };
}

function portFacts(row: PortRow, readInterface: (uuid: string) => InterfaceFacts | undefined): PortFacts {
  const interfaces = [...row.interfaces].map(readInterface).filter((facts) => facts !== undefined);
  return {
    name: row.name,
    bondMode: row.bond_mode,
    lacp: row.lacp,
    bondActiveMember: row.bond_active_slave,
    externalIds: row.external_ids,
    interfaces: interfaces.toSorted(byName),
  };
}

function interfaceFacts(row: InterfaceRow, statistics: ReadonlyMap<string, bigint>): InterfaceFacts {
  return {
    name: row.name,
    type: row.type,
    ofport: row.ofport,
    ifindex: row.ifindex,
    adminState: row.admin_state,
    linkState: row.link_state,
    linkSpeed: row.link_speed,
    lacpCurrent: row.lacp_current,
    error: row.error,
    externalIds: row.external_ids,
    options: row.options,
    status: row.status,
    statistics,
  };
}

/** The rows behind references; one that is missing is on its way in the same or the next transaction. */
function found<T>(references: ReadonlySet<string>, rows: ReadonlyMap<string, T>): readonly T[] {
  return [...references].map((uuid) => rows.get(uuid)).filter((row) => row !== undefined);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

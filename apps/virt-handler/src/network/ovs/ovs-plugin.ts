import type { DomainNetwork } from '@smalt/domain-xml';
import { openOvsdb, parseRemote, rowReference, type Ovsdb } from '@smalt/ovs';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import { ovsInterfaceIdOf } from '../interface-identity.ts';
import type { NetworkPlugin, NetworkRequest } from '../network-plugin.ts';
import type { InterfaceRecord } from '../register/interface-record.ts';

const ANSWER_MS = 5_000;
const TABLES = {} as const;
type Database = Ovsdb<typeof TABLES>;

/** Connects interfaces to a bridge of Open vSwitch, as ports with an `iface-id` that lasts. libvirt makes the ports. */
export class OvsPlugin implements NetworkPlugin {
  readonly name = 'ovs';
  readonly #database: string;

  constructor(database: string) {
    this.#database = database;
  }

  async connect(request: NetworkRequest, signal: AbortSignal): Promise<DomainNetwork> {
    const { bridge = '', vlan, network, record, field } = request;
    const columns = { name: 'string' } as const;
    const found = await this.#ask(signal, field, (ovsdb, options) =>
      ovsdb.select({ table: 'Bridge', columns, where: [['name', '==', bridge]] }, options),
    );
    if (found.length > 0) {
      const ovsInterfaceId = ovsInterfaceIdOf(record);
      return { kind: 'bridge', name: network.name, bridge, ovsInterfaceId, vlan, mac: record.mac };
    }
    const message = `${field}: Open vSwitch of this node has no bridge ${bridge}; add it, or change the settings network.pod and network.others of the virt-handler`;
    throw new VirtHandlerError('network-failed', message, { field });
  }

  /** libvirt takes ports away with their domains; those of a node that lost its power stay in the database. */
  async disconnect(gone: readonly InterfaceRecord[], signal: AbortSignal): Promise<void> {
    await this.#ask(signal, 'network.others', async (ovsdb, options) => {
      for (const record of gone) await removePorts(ovsdb, ovsInterfaceIdOf(record), options);
    });
  }

  async #ask<T>(
    signal: AbortSignal,
    field: string,
    question: (ovsdb: Database, options: { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    try {
      await using ovsdb = openOvsdb({ target: parseRemote(this.#database), database: 'Open_vSwitch', tables: TABLES });
      return await question(ovsdb, { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) });
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      const message = `${field}: Open vSwitch of this node, at ${this.#database}, could not be asked: ${why}; start it, or look at the setting network.ovsDatabase`;
      throw new VirtHandlerError('network-failed', message, { field, cause: error });
    }
  }
}

async function removePorts(
  ovsdb: Database,
  interfaceId: string,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  const columns = { name: 'string' } as const;
  const isOurs = ['external_ids', 'includes', new Map([['iface-id', interfaceId]])] as const;
  for (const { _uuid: card } of await ovsdb.select({ table: 'Interface', columns, where: [isOurs] }, options)) {
    const isIn = ['interfaces', 'includes', new Set([rowReference(card)])] as const;
    for (const { _uuid: port } of await ovsdb.select({ table: 'Port', columns, where: [isIn] }, options)) {
      const ports = new Set([rowReference(port)]);
      const where = [['ports', 'includes', ports]] as const;
      await ovsdb.transact(
        [{ op: 'mutate', table: 'Bridge', where, mutations: [['ports', 'delete', ports]] }],
        options,
      );
    }
  }
}

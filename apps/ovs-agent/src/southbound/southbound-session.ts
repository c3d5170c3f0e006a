import { join } from 'node:path';

import type { Clock } from '@smalt/controller-runtime';
import {
  openOvsdb,
  parseRemote,
  rowReference,
  type Ovsdb,
  type OvsdbMonitor,
  type OvsdbTarget,
  type OvsWarning,
  type Row,
  type TlsFiles,
} from '@smalt/ovs';
import type { Ignore, Logger } from '@smalt/service-runtime';
import type { SouthboundFacts } from '@smalt/switch-health';

import { ovsClock } from '../observe/ovs-clock.ts';
import { countReconnects } from '../observe/switch-sources.ts';
import { whoseTrouble, type SouthboundTrouble } from './southbound-trouble.ts';
import { CHASSIS_TABLES, GLOBAL_TABLES, PORT_TABLES } from './southbound-tables.ts';

/** A database that serves a whole fleet is left in peace: asked less often, waited for longer. */
const ANSWER_MS = 10_000;
const BACK_OFF = { initialMs: 1_000, maxMs: 30_000 };

export interface SouthboundSessionOptions {
  readonly remote: string;
  readonly chassis: string | undefined;
  readonly root: string;
  readonly tls: TlsFiles | undefined;
  readonly answerMs?: number | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly onChange: () => void;
  readonly onReconnect: () => void;
}

type PortRow = Row<(typeof PORT_TABLES)['Port_Binding']>;
type PortMonitor = OvsdbMonitor<typeof PORT_TABLES> & AsyncDisposable;

/** Our own view of the southbound database: of its rows only those about this node. */
export class SouthboundSession implements AsyncDisposable {
  readonly #options: SouthboundSessionOptions;
  readonly #database: Ovsdb<typeof GLOBAL_TABLES> & AsyncDisposable;
  readonly #chassis: (OvsdbMonitor<typeof CHASSIS_TABLES> & AsyncDisposable) | undefined;
  readonly #closing = new AbortController();
  /** The names of other chassis, by uuid; only of those that have a port of ours. */
  readonly #names = new Map<string, string>();
  #ports: PortMonitor | undefined;
  #lost: unknown;
  #interfaceIds: ReadonlySet<string> = new Set();

  /** Throws for a remote that cannot be understood. */
  constructor(options: SouthboundSessionOptions) {
    this.#options = options;
    const { chassis, tls, clock, random, onChange, onReconnect, answerMs = ANSWER_MS } = options;
    this.#database = openOvsdb({
      target: southboundTarget(options),
      database: 'OVN_Southbound',
      tables: GLOBAL_TABLES,
      ...(tls !== undefined && { tls }),
      echoMs: answerMs,
      echoTimeoutMs: answerMs,
      requestTimeoutMs: answerMs,
      backOff: BACK_OFF,
      clock: ovsClock(clock),
      random,
      onWarning: (warning) => this.#takeWarning(warning),
    });
    this.#chassis =
      chassis === undefined
        ? undefined
        : this.#database.monitor(CHASSIS_TABLES, {
            where: { Chassis: [['name', '==', chassis]], Chassis_Private: [['name', '==', chassis]] },
          });
    this.#database.subscribe(onChange);
    this.#chassis?.subscribe(onChange);
    countReconnects(this.#database, onReconnect);
  }

  /** Why nothing is known, if so, and whose trouble that is. */
  get obstacle(): SouthboundTrouble | undefined {
    const { kind, why } = this.#database.state;
    if (kind === 'connected') return undefined;
    const text = `${this.#options.remote} is ${kind}: ${why ?? 'it was not reached yet'}`;
    return { why: text, obstacle: whoseTrouble(kind, this.#lost) };
  }

  get facts(): SouthboundFacts {
    const [global] = this.#database.cache.SB_Global.values();
    const [chassis] = this.#chassis?.cache.Chassis.values() ?? [];
    const [own] = this.#chassis?.cache.Chassis_Private.values() ?? [];
    const bindings = [...(this.#ports?.cache.Port_Binding.values() ?? [])];
    return {
      nbCfg: global?.nb_cfg ?? 0n,
      chassisNbCfg: own?.nb_cfg,
      chassis: chassis?.name,
      portBindings: new Map(bindings.map((row) => [row.logical_port, this.#boundTo(row, chassis)])),
      localPorts: new Set(bindings.filter(({ type }) => type === 'localport').map((row) => row.logical_port)),
    };
  }

  /**
   * Follows where these logical ports are bound. What was known stays until the new answer is there. One monitor is
   * changed in place: a port that is plugged in costs the database that one row, not all of them again.
   */
  async follow(interfaceIds: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    if (this.obstacle === undefined && !isSameSet(interfaceIds, this.#interfaceIds)) {
      await this.#followPorts(interfaceIds);
      await this.#ports?.synchronized(
        AbortSignal.any([signal, this.#closing.signal, AbortSignal.timeout(this.#options.answerMs ?? ANSWER_MS)]),
      );
      this.#interfaceIds = interfaceIds;
      this.#options.onChange();
    }
    await this.#readNames(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#ports?.[Symbol.asyncDispose]();
    await this.#chassis?.[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }

  async #followPorts(interfaceIds: ReadonlySet<string>): Promise<void> {
    const where = { Port_Binding: [...interfaceIds].map((id) => ['logical_port', '==', id] as const) };
    if (interfaceIds.size === 0) {
      const old = this.#ports;
      this.#ports = undefined;
      await old?.[Symbol.asyncDispose]();
    } else if (this.#ports === undefined) {
      this.#ports = this.#database.monitor(PORT_TABLES, { where });
      this.#ports.subscribe(this.#options.onChange);
    } else {
      this.#ports.changeWhere(where);
    }
  }

  #takeWarning({ kind, message, cause }: OvsWarning): void {
    if (kind === 'lost-connection') this.#lost = cause;
    this.#options.logger.debug({ kind, error: cause }, `the southbound database: ${message}`);
  }

  /** While a guest moves, both chassis have its port. */
  #boundTo(row: PortRow, own: { readonly _uuid: string; readonly name: string } | undefined): string | undefined {
    if (own !== undefined && row.additional_chassis.has(own._uuid)) return own.name;
    return this.#nameOf(row.chassis);
  }

  #nameOf(uuid: string | undefined): string | undefined {
    if (uuid === undefined) return undefined;
    // Until its name was asked for its uuid has to do: it is another chassis in any case.
    return this.#ownName(uuid) ?? this.#names.get(uuid) ?? uuid;
  }

  #ownName(uuid: string): string | undefined {
    return this.#chassis?.cache.Chassis.get(uuid)?.name;
  }

  /** Asks for the names of other chassis that have ports of ours, which is rare. */
  async #readNames(signal: AbortSignal): Promise<void> {
    const bindings = [...(this.#ports?.cache.Port_Binding.values() ?? [])];
    const uuids = new Set(bindings.flatMap(({ chassis }) => chassis ?? []));
    const unknown = [...uuids].filter((uuid) => this.#ownName(uuid) === undefined && !this.#names.has(uuid));
    for (const uuid of this.#names.keys()) if (!uuids.has(uuid)) this.#names.delete(uuid);
    if (unknown.length === 0 || this.obstacle !== undefined) return;
    for (const uuid of unknown) {
      const where = [['_uuid', '==', rowReference(uuid)]] as const;
      const [row] = await this.#database.select(
        { table: 'Chassis', columns: CHASSIS_TABLES.Chassis, where },
        { signal },
      );
      // Who may not see that row is not told by asking again.
      this.#names.set(uuid, row?.name ?? uuid);
    }
    this.#options.onChange();
  }
}

/** Where the southbound database is. Sockets are files of the host. */
export function southboundTarget({ remote, root }: { readonly remote: string; readonly root: string }): OvsdbTarget {
  const { endpoints } = parseRemote(remote);
  return {
    endpoints: endpoints.map((endpoint) =>
      endpoint.kind === 'unix' ? { ...endpoint, path: join(root, endpoint.path) } : endpoint,
    ),
  };
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}

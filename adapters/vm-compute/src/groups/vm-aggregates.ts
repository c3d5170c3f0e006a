import {
  ComputeError,
  type AggregateMembership,
  type ComputeAggregate,
  type ComputeAggregates,
  type HostIdentity,
} from '@smalt/compute';
import { hypervisorKind } from '@smalt/fleet-api';
import type { ListOptions } from '@smalt/kube';
import type { Node } from '@smalt/placement';

import { ObjectName } from '../object-names.ts';
import { unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';

const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** For so long it is enough to know what others name. */
const FLEET_MS = 10_000;

export interface VmAggregatesOptions {
  readonly api: VmApiAccess;
  /** Those that exist though no host is in them. */
  readonly names: readonly string[];
  readonly now: () => number;
}

/** What the hosts of a fleet name. */
interface FleetNames {
  readonly zones: readonly string[];
  readonly named: readonly string[];
}

interface FleetRead {
  readonly startedAt: number;
  readonly names: Promise<FleetNames>;
  /** Of the one who asked first. */
  readonly signal: AbortSignal;
}

/** An aggregate is a label of the Nodes in it, `aggregate.smalt.dev/NAME`. It exists as soon as anybody names it. */
export class VmAggregates implements ComputeAggregates {
  readonly #options: VmAggregatesOptions;
  #fleet: FleetRead | undefined;

  constructor(options: VmAggregatesOptions) {
    this.#options = options;
  }

  async membership(host: HostIdentity, signal: AbortSignal): Promise<AggregateMembership> {
    const { api, names } = this.#options;
    const [own, fleet] = await Promise.all([this.#ownNames(host, signal), this.#fleetNames(signal)]);
    const node = await api.nodeOf(host, signal);
    const joined = aggregatesIn(node?.metadata.labels);
    const zones = [...fleet.zones, ...zonesOf(node ? [node] : [])];
    const known = new Set([...names, ...zones, ...own, ...fleet.named, ...joined].filter(isLabelName));
    return { known: [...known].toSorted().map((name) => aggregate(name, zones)), joined: new Set(joined) };
  }

  async join(host: HostIdentity, { name }: ComputeAggregate, signal: AbortSignal): Promise<void> {
    await this.#label(host, name, 'true', signal);
  }

  async leave(host: HostIdentity, { name }: ComputeAggregate, signal: AbortSignal): Promise<void> {
    await this.#label(host, name, null, signal);
  }

  /** What the host itself asks for has to be known at once. */
  async #ownNames({ serviceId: value }: HostIdentity, signal: AbortSignal): Promise<readonly string[]> {
    const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value }] };
    return await this.#wanted({ fieldSelector, signal });
  }

  /** A fleet is asked host by host: what all others name is not listed anew for each of them. */
  async #fleetNames(signal: AbortSignal): Promise<FleetNames> {
    signal.throwIfAborted();
    const read = this.#fleetRead(signal);
    try {
      return await read.names;
    } catch (error) {
      if (this.#fleet === read) this.#fleet = undefined;
      if (read.signal === signal || !read.signal.aborted) throw error;
      // The one who asked first has given up; that is no answer for the others.
      return await this.#fleetNames(signal);
    }
  }

  /** The one that is under way, or is young enough. */
  #fleetRead(signal: AbortSignal): FleetRead {
    const startedAt = this.#options.now();
    if (this.#fleet !== undefined && startedAt - this.#fleet.startedAt < FLEET_MS) return this.#fleet;
    this.#fleet = { startedAt, names: this.#readFleet(signal), signal };
    return this.#fleet;
  }

  async #readFleet(signal: AbortSignal): Promise<FleetNames> {
    const { api } = this.#options;
    const [nodes, wanted] = await Promise.all([api.all(api.nodes, { signal }), this.#wanted({ signal })]);
    const used = nodes.flatMap(({ metadata }) => aggregatesIn(metadata.labels));
    return { zones: zonesOf(nodes), named: [...new Set([...wanted, ...used])] };
  }

  async #wanted(options: ListOptions): Promise<readonly string[]> {
    const { client } = this.#options.api;
    const found = await unlessGone('read', () => client.resource(hypervisorKind).list(options));
    return (found?.items ?? []).flatMap(({ spec }) => spec?.aggregates ?? []);
  }

  async #label(host: HostIdentity, name: string, value: 'true' | null, signal: AbortSignal): Promise<void> {
    if (!isLabelName(name)) {
      const message = `the aggregate ${JSON.stringify(name)} cannot be part of a label: letters, digits and -_. only, 63 at most`;
      throw new ComputeError('refused', message);
    }
    const labels = { [`${ObjectName.aggregatePrefix}${name}`]: value };
    await this.#options.api.patchNode(host, { metadata: { labels } }, signal);
  }
}

function isLabelName(name: string): boolean {
  return LABEL_NAME.test(name);
}

function zonesOf(nodes: readonly Node[]): readonly string[] {
  return [...new Set(nodes.flatMap(({ metadata }) => metadata.labels?.[ObjectName.zoneLabel] ?? []))];
}

function aggregatesIn(labels: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.keys(labels)
    .filter((label) => label.startsWith(ObjectName.aggregatePrefix))
    .map((label) => label.slice(ObjectName.aggregatePrefix.length));
}

function aggregate(name: string, zones: readonly string[]): ComputeAggregate {
  return { id: name, uuid: name, name, metadata: zones.includes(name) ? { availability_zone: name } : undefined };
}

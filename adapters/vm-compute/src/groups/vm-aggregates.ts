import {
  ComputeError,
  type AggregateMembership,
  type ComputeAggregate,
  type ComputeAggregates,
  type HostIdentity,
} from '@smalt/compute';
import { hypervisorKind } from '@smalt/fleet-api';

import { ObjectName } from '../object-names.ts';
import { unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';

const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

export interface VmAggregatesOptions {
  readonly api: VmApiAccess;
  /** Those that exist though no host is in them. */
  readonly names: readonly string[];
}

/** An aggregate is a label of the Nodes in it, `aggregate.smalt.dev/NAME`. It exists as soon as anybody names it. */
export class VmAggregates implements ComputeAggregates {
  readonly #options: VmAggregatesOptions;

  constructor(options: VmAggregatesOptions) {
    this.#options = options;
  }

  async membership(host: HostIdentity, signal: AbortSignal): Promise<AggregateMembership> {
    const { api, names } = this.#options;
    const [nodes, hypervisors] = await Promise.all([
      api.all(api.nodes, { signal }),
      unlessGone('read', () => api.client.resource(hypervisorKind).list({ signal })),
    ]);
    const own = nodes.find(({ metadata }) => metadata.uid === host.hypervisorId);
    const joined = aggregatesIn(own?.metadata.labels);
    const zones = nodes.flatMap(({ metadata }) => metadata.labels?.[ObjectName.zoneLabel] ?? []);
    const wanted = (hypervisors?.items ?? []).flatMap(({ spec }) => spec?.aggregates ?? []);
    const used = nodes.flatMap(({ metadata }) => aggregatesIn(metadata.labels));
    const known = new Set([...names, ...zones, ...wanted, ...used].filter((name) => LABEL_NAME.test(name)));
    return { known: [...known].toSorted().map((name) => aggregate(name, zones)), joined: new Set(joined) };
  }

  async join(host: HostIdentity, { name }: ComputeAggregate, signal: AbortSignal): Promise<void> {
    await this.#label(host, name, 'true', signal);
  }

  async leave(host: HostIdentity, { name }: ComputeAggregate, signal: AbortSignal): Promise<void> {
    await this.#label(host, name, null, signal);
  }

  async #label(host: HostIdentity, name: string, value: 'true' | null, signal: AbortSignal): Promise<void> {
    if (!LABEL_NAME.test(name)) {
      const message = `the aggregate ${JSON.stringify(name)} cannot be part of a label: letters, digits and -_. only, 63 at most`;
      throw new ComputeError('refused', message);
    }
    const labels = { [`${ObjectName.aggregatePrefix}${name}`]: value };
    await this.#options.api.patchNode(host, { metadata: { labels } }, signal);
  }
}

function aggregatesIn(labels: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.keys(labels)
    .filter((label) => label.startsWith(ObjectName.aggregatePrefix))
    .map((label) => label.slice(ObjectName.aggregatePrefix.length));
}

function aggregate(name: string, zones: readonly string[]): ComputeAggregate {
  return { id: name, uuid: name, name, metadata: zones.includes(name) ? { availability_zone: name } : undefined };
}

import { randomUUID } from 'node:crypto';

import { refusal } from '../simulator-error.ts';
import type { Host } from './host.ts';

const ZONE = 'availability_zone';

/** A group of hosts, by the names of their compute services. */
export interface Aggregate {
  readonly id: number;
  readonly uuid: string;
  name: string;
  metadata: Readonly<Record<string, string>>;
  readonly hosts: Set<Host>;
  readonly createdAt: string;
  updatedAt: string | undefined;
  /** What is sent of it, until something of it changes. */
  text: string | undefined;
}

export interface NewAggregate {
  readonly name: string;
  readonly zone: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The aggregates of a cloud. */
export class AggregateBooks {
  readonly #aggregates = new Map<number, Aggregate>();
  #last = 0;

  get all(): Iterable<Aggregate> {
    return this.#aggregates.values();
  }

  get(id: number): Aggregate {
    const aggregate = this.#aggregates.get(id);
    if (aggregate === undefined) throw refusal(404, `Aggregate ${id} could not be found.`);
    return aggregate;
  }

  byName(name: string): Aggregate | undefined {
    return [...this.#aggregates.values()].find((aggregate) => aggregate.name === name);
  }

  add({ name, zone, metadata = {} }: NewAggregate): Aggregate {
    if (this.byName(name) !== undefined) throw refusal(409, `Aggregate ${name} already exists.`);
    this.#last += 1;
    const aggregate: Aggregate = {
      id: this.#last,
      uuid: randomUUID(),
      name,
      metadata: { ...(zone !== undefined && { [ZONE]: zone }), ...metadata },
      hosts: new Set(),
      createdAt: new Date().toISOString(),
      updatedAt: undefined,
      text: undefined,
    };
    this.#aggregates.set(aggregate.id, aggregate);
    return aggregate;
  }

  delete(id: number): void {
    const aggregate = this.get(id);
    if (aggregate.hosts.size > 0) {
      throw refusal(400, `Cannot remove aggregate ${id}. Reason: Host aggregate is not empty.`);
    }
    this.#aggregates.delete(id);
  }

  join(aggregate: Aggregate, host: Host): void {
    if (aggregate.hosts.has(host)) {
      throw refusal(409, `Aggregate ${aggregate.id} already has host ${host.serviceHost}.`);
    }
    const zone = zoneOf(aggregate);
    const others = [...host.aggregates].map((id) => this.get(id));
    if (zone !== undefined && others.some((other) => (zoneOf(other) ?? zone) !== zone)) {
      const message = 'One or more hosts already in availability zone(s)';
      throw refusal(409, `Cannot add host to aggregate ${aggregate.id}. Reason: ${message} ['${host.zone}'].`);
    }
    aggregate.hosts.add(host);
    aggregate.text = undefined;
    host.aggregates.add(aggregate.id);
    host.provider.aggregates.add(aggregate.uuid);
    host.zone = zone ?? host.zone;
  }

  leave(aggregate: Aggregate, host: Host): void {
    aggregate.hosts.delete(host);
    aggregate.text = undefined;
    host.aggregates.delete(aggregate.id);
    host.provider.aggregates.delete(aggregate.uuid);
    host.zone = [...host.aggregates].map((id) => zoneOf(this.get(id))).find((zone) => zone !== undefined) ?? 'nova';
  }

  mergeMetadata(aggregate: Aggregate, changes: Readonly<Record<string, string | null>>): void {
    const merged = { ...aggregate.metadata, ...changes };
    const kept = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null);
    aggregate.metadata = Object.fromEntries(kept);
    aggregate.updatedAt = new Date().toISOString();
    aggregate.text = undefined;
  }
}

export function zoneOf({ metadata }: Aggregate): string | undefined {
  return metadata[ZONE];
}

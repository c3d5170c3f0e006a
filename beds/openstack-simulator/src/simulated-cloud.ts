import type { Behaviour } from './behaviour.ts';
import type { Aggregate } from './books/aggregate-books.ts';
import type { CloudBooks } from './books/cloud-books.ts';
import type { Host } from './books/host.ts';
import { isOver } from './books/move.ts';
import { become, note, statusOf, type Server } from './books/server.ts';
import type { Call, CallLog } from './call-log.ts';
import type { Evacuator } from './compute/evacuator.ts';
import type { Owner, ServerLife } from './compute/server-life.ts';
import type { Fault, Faults, InjectedFault } from './faults.ts';
import type { Front } from './front.ts';
import { PASSWORD, type IdentityBooks } from './identity/identity-books.ts';
import type {
  AggregateOptions,
  HostChange,
  HostSnapshot,
  MoveSnapshot,
  ServerSnapshot,
  SimulatedHost,
  SimulatedOpenStack,
  SimulatedServer,
  SimulatedService,
} from './simulated-openstack.ts';
import { SimulatorError } from './simulator-error.ts';
import type { Timers } from './timers.ts';

export interface CloudParts {
  readonly books: CloudBooks;
  readonly life: ServerLife;
  readonly evacuator: Evacuator;
  readonly identity: IdentityBooks;
  readonly front: Front;
  readonly timers: Timers;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly endpoints: Readonly<Record<SimulatedService, string>>;
}

/** Nova's number for a guest that is off. */
const SHUT_DOWN = 4;

/** What a test sees of a cloud, and does to it behind the back of its API. */
export class SimulatedCloud implements SimulatedOpenStack {
  readonly endpoints: Readonly<Record<SimulatedService, string>>;
  readonly #parts: CloudParts;

  constructor(parts: CloudParts) {
    this.#parts = parts;
    this.endpoints = parts.endpoints;
  }

  get authUrl(): string {
    return this.endpoints.identity;
  }

  environment(user: 'admin' | 'member' = 'admin'): Readonly<Record<string, string>> {
    return {
      OS_AUTH_URL: this.authUrl,
      OS_USERNAME: user,
      OS_PASSWORD: PASSWORD,
      OS_PROJECT_NAME: user === 'admin' ? 'admin' : 'test',
      OS_USER_DOMAIN_NAME: 'Default',
      OS_PROJECT_DOMAIN_NAME: 'Default',
      OS_REGION_NAME: 'RegionOne',
      OS_IDENTITY_API_VERSION: '3',
      OS_INTERFACE: 'public',
    };
  }

  addHost(options: string | SimulatedHost): HostSnapshot {
    const host = this.#books.addHost(typeof options === 'string' ? { name: options } : options);
    const zone = typeof options === 'string' ? undefined : options.zone;
    if (zone !== undefined) {
      const { aggregates } = this.#books;
      aggregates.join(aggregates.byName(zone) ?? aggregates.add({ name: zone, zone }), host);
    }
    return this.#snapshot(host);
  }

  changeHost(name: string, change: HostChange): HostSnapshot {
    const host = this.#known(name);
    const wasUp = host.isUp;
    host.change(change);
    if (host.isUp && !wasUp) this.#parts.evacuator.welcome(host);
    return this.#snapshot(host);
  }

  removeHost(name: string): void {
    const host = this.#known(name);
    for (const server of this.#books.serversOn(host)) this.#books.deleteServer(server);
    this.#books.deleteHost(host);
  }

  host(name: string): HostSnapshot | undefined {
    const host = this.#books.host(name);
    return host === undefined ? undefined : this.#snapshot(host);
  }

  hosts(): readonly HostSnapshot[] {
    return [...this.#books.hosts].map((host) => this.#snapshot(host));
  }

  addTrait(name: string): void {
    this.#books.placement.traits.add(name);
  }

  addAggregate(name: string, { zone, metadata, hosts = [] }: AggregateOptions = {}): number {
    const aggregate = this.#books.aggregates.add({ name, zone, metadata });
    for (const host of hosts) this.#books.aggregates.join(aggregate, this.#known(host));
    return aggregate.id;
  }

  addServer(host: string, server: SimulatedServer = {}): string {
    return this.#parts.life.put(this.#known(host), server, this.#owner(server.project ?? 'admin')).id;
  }

  removeServer(id: string): void {
    const server = this.#books.server(id);
    if (server === undefined) throw new SimulatorError('unknown', `There is no server ${id}`);
    this.#books.deleteServer(server);
  }

  stopGuest(id: string, { isNoticed = false }: { readonly isNoticed?: boolean } = {}): void {
    const server = this.#books.server(id);
    if (server === undefined) throw new SimulatorError('unknown', `There is no server ${id}`);
    server.powerState = SHUT_DOWN;
    if (!isNoticed) return;
    note(server, 'stop', undefined);
    become(server, 'stopped', undefined);
  }

  server(id: string): ServerSnapshot | undefined {
    const server = this.#books.server(id);
    return server === undefined ? undefined : this.#serverSnapshot(server);
  }

  serversOn(host: string): readonly ServerSnapshot[] {
    return this.#books.serversOn(this.#known(host)).map((server) => this.#serverSnapshot(server));
  }

  servers(): readonly ServerSnapshot[] {
    return [...this.#books.servers].map((server) => this.#serverSnapshot(server));
  }

  moves(): readonly MoveSnapshot[] {
    return this.#books.moves.map((move) => ({
      id: move.id,
      serverId: move.server.id,
      type: move.type,
      status: move.status,
      source: move.source.name,
      destination: move.destination?.name,
      begunAt: Date.parse(move.createdAt),
      endedAt: isOver(move) && move.updatedAt !== undefined ? Date.parse(move.updatedAt) : undefined,
    }));
  }

  allocate(host: string, consumer: string, resources: Readonly<Record<string, number>>): void {
    const providers = new Map([[this.#known(host).provider.id, resources]]);
    this.#books.placement.allocate(consumer, { ...this.#owner('admin'), providers });
  }

  behave(change: Partial<Behaviour>, serverId?: string): void {
    if (serverId === undefined) {
      this.#books.behaviour = { ...this.#books.behaviour, ...change };
      return;
    }
    const server = this.#books.server(serverId);
    if (server === undefined) throw new SimulatorError('unknown', `There is no server ${serverId}`);
    server.behaviour = { ...server.behaviour, ...change };
  }

  setLatency(latencyMs: number): void {
    this.#parts.front.latencyMs = latencyMs;
  }

  inject(fault: Fault): InjectedFault {
    return this.#parts.faults.inject(fault);
  }

  expireTokens(): void {
    this.#parts.identity.expireTokens();
  }

  get calls(): readonly Call[] {
    return this.#parts.calls.calls;
  }

  countOf(pattern: RegExp | string): number {
    return this.#parts.calls.countOf(pattern);
  }

  counts(): Readonly<Record<string, number>> {
    return this.#parts.calls.counts();
  }

  forgetCalls(): void {
    this.#parts.calls.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.timers[Symbol.dispose]();
    await this.#parts.front[Symbol.asyncDispose]();
  }

  get #books(): CloudBooks {
    return this.#parts.books;
  }

  #known(name: string): Host {
    const host = this.#books.host(name);
    if (host === undefined) throw new SimulatorError('unknown', `There is no host ${name}`);
    return host;
  }

  #owner(project: string): Owner {
    const projectId = this.#parts.identity.project(({ name }) => name === project)?.id;
    if (projectId === undefined) throw new SimulatorError('invalid-option', `project: there is no ${project}`);
    return { projectId, userId: this.#parts.identity.user(({ name }) => name === 'admin')?.id ?? '' };
  }

  #snapshot(host: Host): HostSnapshot {
    const { name, serviceHost, hypervisorId, serviceId } = host;
    const { status, disabledReason, isForcedDown, isUp, zone } = host;
    const inside = [...host.aggregates].map((id): Aggregate => this.#books.aggregates.get(id));
    return {
      name,
      serviceHost,
      hypervisorId,
      serviceId,
      status,
      disabledReason,
      isForcedDown,
      isUp,
      zone,
      aggregates: inside.map((aggregate) => aggregate.name),
      traits: [...host.provider.traits],
      serverIds: [...host.servers].map(({ id }) => id),
      strayIds: [...host.strays],
    };
  }

  #serverSnapshot(server: Server): ServerSnapshot {
    const { id, name, taskState, metadata, projectId } = server;
    const project = this.#parts.identity.project((each) => each.id === projectId)?.name ?? projectId;
    const [host, fault] = [server.host?.name, server.fault?.message];
    return { id, name, status: statusOf(server), taskState, host, project, metadata, fault };
  }
}

import { randomUUID } from 'node:crypto';

import { DEFAULT_BEHAVIOUR, type Behaviour } from '../behaviour.ts';
import type { SimulatedHost } from '../simulated-openstack.ts';
import { refusal, SimulatorError } from '../simulator-error.ts';
import { AggregateBooks } from './aggregate-books.ts';
import { Host } from './host.ts';
import { isOver, setMoveStatus, type Move } from './move.ts';
import { PlacementBooks } from './placement-books.ts';
import { resourcesOf, type Server, type ServerFlavor } from './server.ts';

/** All that a cloud knows. Whatever is looked up by a name or an id is found without a search. */
export class CloudBooks {
  readonly placement: PlacementBooks = new PlacementBooks();
  readonly aggregates: AggregateBooks = new AggregateBooks();
  readonly flavors: Map<string, ServerFlavor> = new Map(FLAVORS.map((each) => [each.id, each]));
  readonly moves: Move[] = [];
  behaviour: Behaviour = DEFAULT_BEHAVIOUR;
  readonly #hosts = new Map<string, Host>();
  readonly #hostsById = new Map<string, Host>();
  readonly #hostsByService = new Map<string, Host>();
  readonly #servers = new Map<string, Server>();
  readonly #serversByProject = new Map<string, Set<Server>>();
  readonly #movesByServer = new Map<string, Move[]>();
  #serverCount = 0;

  get hosts(): Iterable<Host> {
    return this.#hosts.values();
  }

  get hostCount(): number {
    return this.#hosts.size;
  }

  host(name: string): Host | undefined {
    return this.#hosts.get(name);
  }

  hostOfHypervisor(id: string): Host | undefined {
    return this.#hostsById.get(id);
  }

  /** The host whose compute service has this id or this name. */
  hostOfService(idOrName: string): Host | undefined {
    return this.#hostsByService.get(idOrName);
  }

  addHost(options: SimulatedHost): Host {
    if (this.#hosts.has(options.name))
      throw new SimulatorError('invalid-option', `host: ${options.name} is there twice`);
    for (const trait of options.traits ?? []) this.placement.traits.add(trait);
    // A provider can outlive its host; one that comes again finds it.
    const provider = this.placement.providerByName(options.name) ?? this.placement.addProvider(options.name);
    const host = new Host(options, provider);
    this.#hosts.set(host.name, host);
    this.#hostsById.set(host.hypervisorId, host);
    this.#hostsByService.set(host.serviceId, host).set(host.serviceHost, host);
    return host;
  }

  /** Forgets a host; its provider stays as long as something is allocated on it. */
  deleteHost(host: Host): void {
    for (const id of host.aggregates) this.aggregates.leave(this.aggregates.get(id), host);
    this.#hosts.delete(host.name);
    this.#hostsById.delete(host.hypervisorId);
    this.#hostsByService.delete(host.serviceId);
    this.#hostsByService.delete(host.serviceHost);
    if (host.provider.consumers.size === 0) this.placement.deleteProvider(host.provider);
  }

  get servers(): Iterable<Server> {
    return this.#servers.values();
  }

  server(id: string): Server | undefined {
    return this.#servers.get(id);
  }

  serversOn(host: Host): readonly Server[] {
    return [...host.servers].flatMap(({ id }) => this.#servers.get(id) ?? []);
  }

  serversOfProject(projectId: string): Iterable<Server> {
    return this.#serversByProject.get(projectId) ?? [];
  }

  nextServerNumber(): number {
    this.#serverCount += 1;
    return this.#serverCount;
  }

  addServer(server: Server): void {
    if (this.#servers.has(server.id)) throw new SimulatorError('invalid-option', `server: ${server.id} is there twice`);
    this.#servers.set(server.id, server);
    const ofProject = this.#serversByProject.get(server.projectId);
    if (ofProject === undefined) this.#serversByProject.set(server.projectId, new Set([server]));
    else ofProject.add(server);
    if (server.host !== undefined) this.place(server, server.host);
  }

  deleteServer(server: Server): void {
    server.isDeleted = true;
    server.host?.servers.delete(server);
    this.#servers.delete(server.id);
    this.#serversByProject.get(server.projectId)?.delete(server);
    this.placement.free(server.id);
    for (const move of this.movesOf(server.id)) {
      this.placement.free(move.uuid);
      if (!isOver(move)) setMoveStatus(move, 'error');
    }
  }

  /** Says that a server is on that host, and has what it needs of it. */
  place(server: Server, host: Host): void {
    server.host?.servers.delete(server);
    server.host = host;
    host.servers.add(server);
    this.allocate(server.id, server, host);
  }

  /** Gives a consumer as much of a host as a server needs. */
  allocate(consumer: string, server: Server, host: Host): void {
    const { projectId, userId } = server;
    const providers = new Map([[host.provider.id, resourcesOf(server)]]);
    this.placement.allocate(consumer, { projectId, userId, providers });
  }

  /** Adds what a server needs of that host to what it has elsewhere. */
  allocateToo(server: Server, host: Host): void {
    const before = this.placement.consumer(server.id)?.providers ?? new Map();
    const providers = new Map([...before, [host.provider.id, resourcesOf(server)]]);
    this.placement.allocate(server.id, { projectId: server.projectId, userId: server.userId, providers });
  }

  /** Takes from a server what it has of that host, and leaves it the rest. */
  release(server: Server, host: Host): void {
    const consumer = this.placement.consumer(server.id);
    if (consumer === undefined) return;
    const providers = new Map([...consumer.providers].filter(([id]) => id !== host.provider.id));
    this.placement.allocate(server.id, { ...consumer, providers });
  }

  behaviourOf({ behaviour }: Server): Behaviour {
    return { ...this.behaviour, ...behaviour };
  }

  movesOf(serverId: string): readonly Move[] {
    return this.#movesByServer.get(serverId) ?? [];
  }

  addMove(move: Omit<Move, 'id' | 'uuid' | 'createdAt' | 'updatedAt' | 'runningSince'>): Move {
    const id = this.moves.length + 1;
    const createdAt = new Date().toISOString();
    const added: Move = { ...move, id, uuid: randomUUID(), createdAt, updatedAt: undefined, runningSince: undefined };
    this.moves.push(added);
    const ofServer = this.#movesByServer.get(move.server.id);
    if (ofServer === undefined) this.#movesByServer.set(move.server.id, [added]);
    else ofServer.push(added);
    return added;
  }

  /** Whether something is on its way to or from a host. */
  isMoving(host: Host): boolean {
    return this.moves.some((move) => !isOver(move) && (move.source === host || move.destination === host));
  }
}

/** The server with that id, or the 404 of Nova. */
export function knownServer(books: CloudBooks, id: string): Server {
  const server = books.server(id);
  if (server === undefined) throw refusal(404, `Instance ${id} could not be found.`);
  return server;
}

const FLAVORS: readonly ServerFlavor[] = [
  flavor('1', 'm1.tiny', [1, 512, 1]),
  flavor('2', 'm1.small', [1, 2048, 20]),
  flavor('3', 'm1.medium', [2, 4096, 40]),
];

function flavor(
  id: string,
  name: string,
  [vcpus, memoryMiB, diskGiB]: readonly [number, number, number],
): ServerFlavor {
  return { id, name, vcpus, memoryMiB, diskGiB, ephemeralGiB: 0, extraSpecs: {} };
}

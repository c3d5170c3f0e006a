import { randomUUID } from 'node:crypto';

import type { CloudBooks } from '../books/cloud-books.ts';
import type { Host } from '../books/host.ts';
import { become, note, statesOf, touch, type Server, type ServerFlavor } from '../books/server.ts';
import type { SimulatedServer } from '../simulated-openstack.ts';
import { refusal, SimulatorError } from '../simulator-error.ts';
import type { Timers } from '../timers.ts';
import { chooseHost } from './choose-host.ts';

/** Who a server belongs to, by ids. */
export interface Owner {
  readonly projectId: string;
  readonly userId: string;
}

/** What somebody asks Nova to make. */
export interface ServerWish extends Owner {
  readonly name: string;
  readonly flavor: ServerFlavor;
  readonly imageId: string | undefined;
  readonly volumeIds: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** The compute service to begin on. */
  readonly hostName: string | undefined;
  /** Whether the host was named as part of the zone, which spares it the checks of the scheduler. */
  readonly isForced: boolean;
  readonly zone: string | undefined;
}

interface Making {
  readonly id: string;
  readonly wish: Owner;
  readonly flavor: ServerFlavor;
  readonly name?: string | undefined;
}

/** The beginning and the end of servers. */
export class ServerLife {
  readonly #books: CloudBooks;
  readonly #timers: Timers;

  constructor(books: CloudBooks, timers: Timers) {
    this.#books = books;
    this.#timers = timers;
  }

  /** Has a server made; it is in BUILD at first. */
  create(wish: ServerWish): Server {
    const { name, flavor, imageId, volumeIds, metadata, zone } = wish;
    const server = this.#make({ id: randomUUID(), wish, flavor, name });
    const begun: Server = { ...server, imageId, volumeIds, metadata, requestedZone: zone, taskState: 'scheduling' };
    note(begun, 'create', wish);
    this.#books.addServer(begun);
    this.#timers.after(0, () => this.#schedule(begun, wish));
    return begun;
  }

  /** Has a server deleted; it is there for a moment still. */
  delete(server: Server): void {
    server.taskState = 'deleting';
    touch(server);
    const { deleteMs, isDeleteStuck } = this.#books.behaviourOf(server);
    if (!isDeleteStuck) this.#timers.after(deleteMs, () => !server.isDeleted && this.#books.deleteServer(server));
  }

  /** Starts a server anew where it is. Where its host is dead nobody carries that out, and nobody says so. */
  reboot(server: Server, isHard: boolean): void {
    become(server, server.vmState, isHard ? 'rebooting_hard' : 'rebooting');
    const { host } = server;
    this.#timers.after(this.#books.behaviourOf(server).spawnMs, () => {
      if (server.isDeleted || server.taskState?.startsWith('reboot') !== true || host?.isAlive !== true) return;
      server.powerState = undefined;
      server.fault = undefined;
      become(server, 'active', undefined);
    });
  }

  /** Puts a server on a host as if it had always been there. */
  put(host: Host, options: SimulatedServer, owner: Owner): Server {
    const states = statesOf(options.status ?? 'ACTIVE');
    if (states === undefined) throw new SimulatorError('invalid-option', `status: ${options.status} is none of Nova's`);
    const flavor = customFlavor(options.flavor ?? {});
    const made = this.#make({ id: options.id ?? randomUUID(), wish: owner, flavor, name: options.name });
    const server: Server = {
      ...made,
      ...states,
      taskState: options.taskState ?? states.taskState,
      host: states.vmState === 'shelved_offloaded' ? undefined : host,
      imageId: options.imageId,
      volumeIds: options.volumeIds ?? [],
      tags: options.tags ?? [],
      metadata: options.metadata ?? {},
      behaviour: options.behaviour ?? {},
      isLocked: options.isLocked ?? false,
      fault: options.fault === undefined ? undefined : faultOf(options.fault),
      launchedAt: made.createdAt,
    };
    this.#books.addServer(server);
    return server;
  }

  #make({ id, wish, flavor, name }: Making): Server {
    const createdAt = new Date().toISOString();
    const number = this.#books.nextServerNumber();
    return {
      id,
      number,
      name: name ?? `server-${number}`,
      projectId: wish.projectId,
      userId: wish.userId,
      flavor,
      imageId: undefined,
      volumeIds: [],
      tags: [],
      requestedZone: undefined,
      createdAt,
      history: [],
      behaviour: {},
      host: undefined,
      vmState: 'building',
      taskState: undefined,
      powerState: undefined,
      stateBeforeMove: undefined,
      metadata: {},
      isLocked: false,
      lockedReason: undefined,
      fault: undefined,
      launchedAt: undefined,
      updatedAt: createdAt,
      isDeleted: false,
    };
  }

  #schedule(server: Server, wish: ServerWish): void {
    if (server.isDeleted) return;
    const host = this.#hostFor(server, wish);
    if (host === undefined) return this.#fail(server, 'No valid host was found. There are not enough hosts available.');
    this.#books.place(server, host);
    server.taskState = 'spawning';
    touch(server);
    const { spawnMs, spawnFault } = this.#books.behaviourOf(server);
    this.#timers.after(spawnMs, () => {
      if (server.isDeleted || server.taskState === 'deleting') return;
      if (spawnFault !== undefined) return this.#fail(server, spawnFault);
      server.vmState = 'active';
      server.taskState = undefined;
      server.launchedAt = new Date().toISOString();
      touch(server);
    });
  }

  #hostFor(server: Server, { hostName, isForced }: ServerWish): Host | undefined {
    const host = hostName === undefined ? undefined : this.#books.hostOfService(hostName);
    // A host that is named with the zone need not be enabled, but it must be alive.
    if (isForced) return host?.isAlive === true ? host : undefined;
    return chooseHost(this.#books, server, hostName);
  }

  #fail(server: Server, message: string): void {
    server.vmState = 'error';
    server.taskState = undefined;
    server.fault = faultOf(message);
    touch(server);
  }
}

/** The flavor of that id, or the 400 of Nova. */
export function knownFlavor(books: CloudBooks, id: string): ServerFlavor {
  const flavor = books.flavors.get(id);
  if (flavor === undefined) throw refusal(400, `Flavor ${id} could not be found.`);
  return flavor;
}

function customFlavor(flavor: NonNullable<SimulatedServer['flavor']>): ServerFlavor {
  return {
    id: 'custom',
    name: 'custom',
    vcpus: flavor.vcpus ?? 1,
    memoryMiB: flavor.memoryMiB ?? 512,
    diskGiB: flavor.diskGiB ?? 1,
    ephemeralGiB: 0,
    extraSpecs: flavor.extraSpecs ?? {},
  };
}

/** A fault that is noted now. */
export function faultOf(message: string): NonNullable<Server['fault']> {
  return { code: 500, message, created: new Date().toISOString().replace(/\.\d+Z$/, 'Z') };
}

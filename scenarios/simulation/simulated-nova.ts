import { ComputeError, isComputeError, type GuestState } from '@smalt/compute';

import { hostPath } from './network.ts';
import { giveSign, isAwake, lastSign, type SimulatedHost } from './simulated-host.ts';
import type { World } from './world.ts';

/** A server as Nova has it. */
export interface NovaServer {
  readonly id: string;
  readonly memoryMiB: number;
  readonly metadata: Readonly<Record<string, string>>;
  host: string;
  status: 'ACTIVE' | 'SHUTOFF' | 'ERROR' | 'REBUILD' | 'REBOOT';
  /** Whether its owner has put it off. */
  readonly isMeantOff: boolean;
  /** What it was before it was rebuilt. */
  wasRunning: boolean;
  fault: string | undefined;
}

export interface NovaService {
  readonly host: string;
  readonly aggregates: Set<string>;
  isEnabled: boolean;
  disabledReason: string | undefined;
  isForcedDown: boolean;
}

export interface NewServer {
  readonly id: string;
  readonly host: SimulatedHost;
  readonly memoryMiB: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly isMeantOff: boolean;
}

/** A migration record of the kind evacuation. */
export interface NovaEvacuation {
  readonly id: string;
  readonly serverId: string;
  readonly source: string;
  readonly startedAt: number;
  target: string | undefined;
  status: 'accepted' | 'pre-migrating' | 'done' | 'completed' | 'error' | 'failed';
  endedAt: number | undefined;
}

export const SERVICE_DOWN_MS = 60_000;

/** A compute system that guards nothing, with the traps of the real one. */
export class SimulatedNova {
  readonly services: Map<string, NovaService> = new Map();
  readonly servers: Map<string, NovaServer> = new Map();
  readonly evacuations: NovaEvacuation[] = [];
  readonly #world: World;
  /** Whether its API answers at all, and how long its lists may take. */
  isDown = false;
  listDelayMs = 800;
  /** The hosts whose cell cannot be reached: the API knows nothing of them, and does nothing for them. */
  readonly awayHosts: Set<string> = new Set();
  /** When a server last came to a host or left it. */
  readonly #changedAt = new Map<string, number>();
  readonly #foundAt = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    for (const { name, rack } of world.hosts) {
      const aggregates = new Set([rack]);
      const service = { host: name, aggregates, isEnabled: true, disabledReason: undefined, isForcedDown: false };
      this.services.set(name, service);
    }
  }

  addServer({ id, host, memoryMiB, metadata, isMeantOff }: NewServer): void {
    const server = { id, memoryMiB, metadata, host: host.name, isMeantOff, wasRunning: !isMeantOff, fault: undefined };
    this.servers.set(id, { ...server, status: isMeantOff ? 'SHUTOFF' : 'ACTIVE' });
    this.#world.guests.set(id, { id, name: id, memoryMiB, places: new Set(isMeantOff ? [] : [host.name]) });
  }

  /** Its owner deletes a server, which makes room. */
  deleteServer(id: string): void {
    const { host } = this.server(id);
    this.servers.delete(id);
    this.#world.guests.get(id)?.places.clear();
    this.noteChange(host);
    this.#world.story.tell(`nova: ${id} is deleted`);
  }

  /** Whether any of the servers on a host is to be rebuilt if it dies. */
  hasRelevant(host: string): boolean {
    return this.relevantOn(host).length > 0;
  }

  relevantOn(host: string): readonly NovaServer[] {
    return [...this.servers.values()].filter((each) => each.host === host && each.metadata['HA_Enabled'] !== 'false');
  }

  /** The cell of a host can be reached again. */
  findHost(host: string): void {
    this.awayHosts.delete(host);
    this.#foundAt.set(host, this.#world.scheduler.now);
  }

  /** Since when the API has known of a host again. */
  foundAt(host: string): number {
    return this.#foundAt.get(host) ?? Number.NEGATIVE_INFINITY;
  }

  changedAt(host: string): number {
    return this.#changedAt.get(host) ?? Number.NEGATIVE_INFINITY;
  }

  noteChange(...hosts: readonly string[]): void {
    for (const host of hosts) this.#changedAt.set(host, this.#world.scheduler.now);
  }

  /** Fails as the API does while it is down, or does not reach the cell of a host. */
  reach(host?: string): void {
    if (this.isDown) throw new ComputeError('unavailable', 'the compute API answers 503');
    if (host !== undefined && this.awayHosts.has(host)) {
      throw new ComputeError('unavailable', `the cell of ${host} cannot be reached`);
    }
  }

  service(host: string): NovaService {
    const service = this.services.get(host);
    if (service === undefined) throw new ComputeError('not-found', `there is no compute service on ${host}`);
    return service;
  }

  isUp({ host, isForcedDown }: NovaService): boolean {
    const heardAt = lastSign(this.#world.host(host), 'heartbeat');
    return !isForcedDown && this.#world.scheduler.now - heardAt < SERVICE_DOWN_MS;
  }

  heartbeat(host: SimulatedHost): void {
    const isHeard = this.#world.network.isWhole(hostPath(host.name, 'nova')) && !this.awayHosts.has(host.name);
    if (!isAwake(host) || !host.isComputeRunning || !isHeard) return;
    giveSign(host, 'heartbeat', this.#world.scheduler.now);
  }

  freeMiB(host: string): number {
    const used = [...this.servers.values()].filter((server) => server.host === host);
    const coming = this.evacuations.filter(({ target, status }) => target === host && status === 'pre-migrating');
    const ids = new Set([...used.map(({ id }) => id), ...coming.map(({ serverId }) => serverId)]);
    const taken = [...ids].reduce((sum, id) => sum + (this.servers.get(id)?.memoryMiB ?? 0), 0);
    return this.#world.host(host).memoryMiB - taken;
  }

  /** Hosts that may take a server, those with the most room first. */
  targetsFor(server: NovaServer): readonly NovaService[] {
    const able = [...this.services.values()].filter(
      (each) => each.host !== server.host && each.isEnabled && !this.awayHosts.has(each.host) && this.isUp(each),
    );
    const rooms = new Map(able.map(({ host }) => [host, this.freeMiB(host)]));
    const roomOf = (each: NovaService) => rooms.get(each.host) ?? 0;
    return able.filter((each) => roomOf(each) >= server.memoryMiB).toSorted((a, b) => roomOf(b) - roomOf(a));
  }

  openEvacuation(serverId: string): NovaEvacuation | undefined {
    return this.evacuations.find((each) => each.serverId === serverId && isOpen(each));
  }

  server(id: string): NovaServer {
    const server = this.servers.get(id);
    if (server === undefined) throw new ComputeError('not-found', `there is no server ${id}`);
    return server;
  }

  /** What Nova last saw of a guest: the truth as long as its host is heard. */
  guestState({ id, host, status }: NovaServer): GuestState {
    if (status === 'SHUTOFF') return 'off';
    if (!this.isUp(this.service(host))) return 'running';
    return this.#world.guests.get(id)?.places.has(host) === true ? 'running' : 'off';
  }

  isMeantToRun({ status, wasRunning }: NovaServer): boolean {
    return status === 'ACTIVE' || status === 'REBOOT' || (status === 'REBUILD' && wasRunning);
  }

  /** Starts a server anew where it is, by the hand of its host. */
  restart(id: string): void {
    const server = this.server(id);
    const host = this.#world.host(server.host);
    if (!this.isUp(this.service(server.host)) || this.openEvacuation(id) !== undefined) {
      throw new ComputeError('conflict', `${id} cannot be restarted now`);
    }
    this.#world.scheduler.after(3_000, () => {
      if (server.host !== host.name || !isAwake(host) || !host.isComputeRunning) return;
      server.status = 'ACTIVE';
      this.#world.stopGuest(id, host);
      this.#world.startGuest(id, host);
    });
  }

  /** Puts a server off, by the hand of its host. */
  stop(id: string): void {
    const server = this.server(id);
    const host = this.#world.host(server.host);
    if (server.status === 'SHUTOFF') return;
    if (!this.isUp(this.service(server.host)) || this.openEvacuation(id) !== undefined) {
      throw new ComputeError('conflict', `${id} cannot be stopped now`);
    }
    this.#world.scheduler.after(2_000, () => {
      if (server.host !== host.name || !isAwake(host) || !host.isComputeRunning) return;
      server.status = 'SHUTOFF';
      this.#world.stopGuest(id, host);
      this.#world.story.tell(`nova: ${id} is put off`);
    });
  }

  /**
   * What nova-compute does when it starts: it removes what was evacuated, passes over what is being, and finds the rest
   * standing still. What was on its way to this host it knows nothing of, so the record of that stays open.
   */
  computeStarted(host: SimulatedHost): void {
    this.heartbeat(host);
    for (const each of this.evacuations) {
      if (each.source === host.name && each.status === 'done') {
        each.status = 'completed';
        this.#world.stopGuest(each.serverId, host);
      }
    }
    for (const server of this.servers.values()) {
      const isHere = this.#world.guests.get(server.id)?.places.has(host.name) === true;
      const isLeaving = this.openEvacuation(server.id)?.source === host.name;
      if (server.host === host.name && server.status === 'ACTIVE' && !isHere && !isLeaving) this.findOff(server);
    }
  }

  /** Nova notes that a guest is off; sooner or later its owner starts it again. */
  findOff(server: NovaServer): void {
    server.status = 'SHUTOFF';
    this.#world.scheduler.after(120_000, () => this.#ownerStarts(server, 6));
  }

  #ownerStarts(server: NovaServer, tries: number): void {
    if (server.status !== 'SHUTOFF' || server.isMeantOff || !this.servers.has(server.id)) return;
    try {
      this.restart(server.id);
    } catch (error) {
      if (!isComputeError(error, 'conflict')) throw error;
      if (tries > 1) this.#world.scheduler.after(120_000, () => this.#ownerStarts(server, tries - 1));
    }
  }

  fail(evacuation: NovaEvacuation, status: 'error' | 'failed', fault: string): void {
    evacuation.status = status;
    evacuation.endedAt = this.#world.scheduler.now;
    const server = this.server(evacuation.serverId);
    server.status = 'ERROR';
    server.fault = fault;
    this.#world.story.tell(`nova: evacuation ${evacuation.id} of ${server.id} ends as ${status}: ${fault}`);
  }
}

export function isOpen({ status }: NovaEvacuation): boolean {
  return status === 'accepted' || status === 'pre-migrating';
}

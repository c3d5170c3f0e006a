import type { Dice } from './dice.ts';
import { Network } from './network.ts';
import type { Scheduler } from './scheduler.ts';
import { isAwake, type SimulatedHost } from './simulated-host.ts';
import type { Story } from './story.ts';

/** A machine and the hosts on which it runs in truth. */
export interface Guest {
  readonly id: string;
  readonly name: string;
  readonly memoryMiB: number;
  readonly places: Set<string>;
}

/** What is so, whatever anybody believes. It notes by itself when a machine runs twice. */
export class World {
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly story: Story;
  readonly network: Network = new Network();
  readonly hosts: readonly SimulatedHost[];
  readonly guests: Map<string, Guest> = new Map();
  /** Called when the operating system of a host has started, and when it has stopped. */
  onBoot: (host: SimulatedHost) => void = () => {};
  /** Called when a machine has started on a host. */
  onStart: (id: string, host: SimulatedHost) => void = () => {};

  constructor(scheduler: Scheduler, dice: Dice, story: Story, hosts: readonly SimulatedHost[]) {
    this.scheduler = scheduler;
    this.dice = dice;
    this.story = story;
    this.hosts = hosts;
  }

  host(name: string): SimulatedHost {
    const host = this.hosts.find((each) => each.name === name);
    if (host === undefined) throw new RangeError(`there is no host ${name}`);
    return host;
  }

  /** Starts a machine on a host that works; its disk has a second writer if it runs elsewhere. */
  startGuest(id: string, on: SimulatedHost): void {
    const guest = this.guests.get(id);
    if (guest === undefined || !isAwake(on)) return;
    guest.places.add(on.name);
    this.story.tell(`${id} runs on ${on.name}`);
    this.onStart(id, on);
    if (guest.places.size > 1) this.story.violate(`${id} runs twice: on ${[...guest.places].join(' and ')}`);
  }

  stopGuest(id: string, on: SimulatedHost): void {
    this.guests.get(id)?.places.delete(on.name);
  }

  guestsOn(host: SimulatedHost): readonly Guest[] {
    return [...this.guests.values()].filter(({ places }) => places.has(host.name));
  }

  powerOff(host: SimulatedHost, why: string): void {
    if (!host.isPowered) return;
    this.story.tell(`${host.name} is without power: ${why}`);
    host.isPowered = false;
    this.#halt(host);
  }

  /** The operating system is gone, the power is still on. */
  panic(host: SimulatedHost): void {
    if (!host.isBooted) return;
    this.story.tell(`${host.name} panics`);
    this.#halt(host);
  }

  #halt(host: SimulatedHost): void {
    host.isBooted = false;
    host.isFrozen = false;
    for (const guest of this.guestsOn(host)) guest.places.delete(host.name);
  }

  /** Powers a host on and boots it; none of its machines starts by itself. */
  boot(host: SimulatedHost): void {
    if (!host.hasMains || host.isBooted) return;
    host.isPowered = true;
    host.isBooted = true;
    host.isFrozen = false;
    host.isAgentRunning = true;
    host.isComputeRunning = true;
    host.boot += 1;
    host.bootedAt = this.scheduler.now;
    this.story.tell(`${host.name} boots`);
    this.onBoot(host);
  }

  freeze(host: SimulatedHost): void {
    if (!isAwake(host)) return;
    host.isFrozen = true;
    this.story.tell(`${host.name} freezes`);
  }

  thaw(host: SimulatedHost): void {
    if (!host.isFrozen) return;
    host.isFrozen = false;
    this.story.tell(`${host.name} goes on where it was`);
  }
}

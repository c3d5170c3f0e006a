import { setTimeout as delay } from 'node:timers/promises';

import type { ComputeHost } from '@smalt/local-openstack';
import { messageOf } from '@smalt/service-runtime';

const LOOK_MS = 1_000;
const FIRST_LOOK_MS = 200;
/** A compute service that finds many guests takes a while to begin. */
const ORDER_MS = 120_000;

/** A host that Nova shall run servers on, as long as it is there. */
export interface FollowedHost extends ComputeHost {
  /** The boot in which others reach it; undefined while it is off or cut off. */
  reachableBoot(): Promise<string | undefined>;
  /** Whether its libvirtd takes connections. */
  isServing(): Promise<boolean>;
}

/** What is done with Nova's compute services. */
export interface ComputeOrders {
  startCompute(host: ComputeHost, signal: AbortSignal): Promise<void>;
  cutCompute(name: string, signal: AbortSignal): Promise<void>;
}

/** By the names of hosts, the boots that they are in. */
export type Boots = ReadonlyMap<string, string | undefined>;

export interface ComputesPlan {
  readonly cut: readonly string[];
  readonly start: readonly string[];
}

/** Decides which compute services have lost their host, or the boot of it that they began in, and which are to be started. */
export function planComputes(served: Boots, seen: Boots): ComputesPlan {
  const changed = [...seen].filter(([name, boot]) => served.get(name) !== boot);
  return {
    cut: changed.filter(([name]) => served.get(name) !== undefined).map(([name]) => name),
    start: changed.filter(([, boot]) => boot !== undefined).map(([name]) => name),
  };
}

/**
 * Keeps Nova's compute services where their hosts are: they run in the process of Nova, not in the hosts, and would report on when those
 * have lost their power or their network.
 */
export class ComputeFollower {
  readonly #orders: ComputeOrders;
  readonly #hosts: readonly FollowedHost[];
  readonly #print: (line: string) => void;
  readonly #served = new Map<string, string>();
  readonly #told = new Map<string, string>();

  constructor(orders: ComputeOrders, hosts: readonly FollowedHost[], print: (line: string) => void) {
    this.#orders = orders;
    this.#hosts = hosts;
    this.#print = print;
  }

  /** Resolves with the names of all hosts that are there, once each has its compute service. */
  async begin(signal: AbortSignal): Promise<readonly string[]> {
    for (;;) {
      const seen = await this.#look(signal);
      const present = [...seen].filter(([, boot]) => boot !== undefined).map(([name]) => name);
      if (present.every((name) => this.#served.has(name))) return present;
      await delay(FIRST_LOOK_MS, undefined, { signal });
    }
  }

  /** Goes on until the signal fires. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#look(signal);
    }
  }

  async #look(signal: AbortSignal): Promise<Boots> {
    const boots = this.#hosts.map(async (host) => [host.name, await host.reachableBoot()] as const);
    const seen = new Map(await Promise.all(boots));
    const { cut, start } = planComputes(this.#served, seen);
    const order = AbortSignal.any([signal, AbortSignal.timeout(ORDER_MS)]);
    await Promise.all(cut.map((name) => this.#try(name, () => this.#cut(name, order), signal)));
    await Promise.all(
      this.#hosts
        .filter(({ name }) => start.includes(name) && !this.#served.has(name))
        .map((host) => this.#try(host.name, () => this.#start(host, seen.get(host.name), order), signal)),
    );
    return seen;
  }

  async #cut(name: string, signal: AbortSignal): Promise<void> {
    await this.#orders.cutCompute(name, signal);
    this.#served.delete(name);
  }

  async #start(host: FollowedHost, boot: string | undefined, signal: AbortSignal): Promise<void> {
    if (boot === undefined || !(await host.isServing())) return;
    await this.#orders.startCompute(host, signal);
    this.#served.set(host.name, boot);
    this.#told.delete(host.name);
  }

  /** What fails is tried again with the next look, and told once. */
  async #try(name: string, deed: () => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await deed();
    } catch (error) {
      const words = messageOf(error);
      if (signal.aborted || this.#told.get(name) === words) return;
      this.#told.set(name, words);
      this.#print(`Nova's compute service of ${name} is tried again: ${words}`);
    }
  }
}

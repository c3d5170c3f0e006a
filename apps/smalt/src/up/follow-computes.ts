import { setTimeout as delay } from 'node:timers/promises';

import type { ComputeHost } from '@smalt/local-openstack';
import { messageOf } from '@smalt/service-runtime';

import { SmaltError } from '../smalt-error.ts';

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

/** What is known of a compute service: the boot of its host that it began in, none, or that the answer to its start is lost. */
export type Served = { readonly boot: string } | 'none' | 'unsure';

export interface ComputePlan {
  readonly isCut: boolean;
  readonly isStarted: boolean;
}

/** Decides whether a compute service has lost its host, or the boot of it that it began in, and whether it is to be started. */
export function planCompute(served: Served, boot: string | undefined): ComputePlan {
  const isRight = typeof served === 'object' ? served.boot === boot : served === 'none' && boot === undefined;
  return { isCut: !isRight && served !== 'none', isStarted: !isRight && boot !== undefined };
}

/**
 * Keeps Nova's compute services where their hosts are: they run in the process of Nova, not in the hosts, and would report on when those
 * have lost their power or their network.
 */
export class ComputeFollower {
  readonly #orders: ComputeOrders;
  readonly #hosts: readonly FollowedHost[];
  readonly #print: (line: string) => void;
  readonly #served = new Map<string, Served>();
  readonly #told = new Map<string, string>();

  constructor(orders: ComputeOrders, hosts: readonly FollowedHost[], print: (line: string) => void) {
    this.#orders = orders;
    this.#hosts = hosts;
    this.#print = print;
  }

  /** Resolves with the names of all hosts that are there, once each has its compute service. */
  async begin(signal: AbortSignal): Promise<readonly string[]> {
    const begun = await Promise.all(this.#hosts.map(async (host) => ({ host, is: await this.#beginOn(host, signal) })));
    const missing = begun.filter(({ is }) => is === 'missing').map(({ host }) => this.#missingText(host));
    if (missing.length > 0)
      throw new SmaltError('start-failed', `Nova has no compute service of ${missing.join(', ')}`);
    return begun.filter(({ is }) => is === 'there').map(({ host }) => host.name);
  }

  /** Goes on until the signal fires. */
  async follow(signal: AbortSignal): Promise<void> {
    // Each by itself: the start of one may take minutes, in which others can be lost.
    await Promise.all(this.#hosts.map((host) => this.#followOne(host, signal)));
  }

  async #beginOn(host: FollowedHost, signal: AbortSignal): Promise<'there' | 'off' | 'missing'> {
    while (!signal.aborted) {
      const boot = await this.#look(host, signal);
      if (boot === undefined) return 'off';
      if (typeof this.#servedOn(host) === 'object') return 'there';
      await delay(FIRST_LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    return 'missing';
  }

  #missingText({ name }: FollowedHost): string {
    const words = this.#told.get(name);
    return words === undefined ? name : `${name} (${words})`;
  }

  async #followOne(host: FollowedHost, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#look(host, signal);
    }
  }

  #servedOn({ name }: FollowedHost): Served {
    return this.#served.get(name) ?? 'none';
  }

  /** Does what is to be done for a host, and tells the boot that it is in. What fails is tried again with the next look, and told once. */
  async #look(host: FollowedHost, signal: AbortSignal): Promise<string | undefined> {
    const boot = await host.reachableBoot();
    const { isCut, isStarted } = planCompute(this.#servedOn(host), boot);
    const order = AbortSignal.any([signal, AbortSignal.timeout(ORDER_MS)]);
    try {
      if (isCut) await this.#cut(host, order);
      if (isStarted && boot !== undefined) await this.#start(host, boot, order);
    } catch (error) {
      if (!signal.aborted) this.#tell(host, messageOf(error));
    }
    return boot;
  }

  async #cut({ name }: FollowedHost, signal: AbortSignal): Promise<void> {
    await this.#orders.cutCompute(name, signal);
    this.#served.set(name, 'none');
  }

  async #start(host: FollowedHost, boot: string, signal: AbortSignal): Promise<void> {
    if (!(await host.isServing())) return;
    const { name, address, uri } = host;
    const others = this.#hosts.filter((each) => each !== host).map((each) => each.uri);
    // It may run although the answer is lost: then it is ended before it is started again, or when its host is lost.
    this.#served.set(name, 'unsure');
    await this.#orders.startCompute({ name, address, uri, others }, signal);
    this.#served.set(name, { boot });
    this.#told.delete(name);
  }

  #tell({ name }: FollowedHost, words: string): void {
    if (this.#told.get(name) === words) return;
    this.#told.set(name, words);
    this.#print(`Nova's compute service of ${name} is tried again: ${words}`);
  }
}

import { LocalOpenStack } from '@smalt/local-openstack';

import { SmaltError } from '../smalt-error.ts';
import type { Tell } from './checklist.ts';
import type { Print } from './fleet.ts';
import { LOCAL_ZONE } from './register-nodes.ts';
import { ComputeFollower, type FollowedHost } from './follow-computes.ts';

/** As which the libvirt of each host runs QEMU. */
const GUEST_GROUP = 'kvm';
const READY_MS = 120_000;
/** The zone of all hosts on this machine, and where the operator puts those that it has not taken into use yet. */
const AGGREGATES = [{ name: LOCAL_ZONE, zone: LOCAL_ZONE }, { name: 'tenant_filter_tests' }];

export interface OpenStackHosts {
  readonly hosts: readonly FollowedHost[];
  readonly print: Print;
}

/** The OpenStack of a `smalt up`, whose computes are the hosts on this machine. Disposing of it ends its services; servers run on. */
export class OpenStackOfHosts implements AsyncDisposable {
  /** What OpenStack's clients read. */
  readonly environment: Readonly<Record<string, string>>;
  readonly openrcFile: string;
  readonly #openStack: LocalOpenStack;
  #follower: ComputeFollower | undefined;

  private constructor(openStack: LocalOpenStack) {
    this.#openStack = openStack;
    this.environment = openStack.environment;
    this.openrcFile = openStack.openrcFile;
  }

  /** Starts all but the computes, whose hosts may not have booted yet. The directory holds all that it keeps. */
  static async open(directory: string, tell: Tell, signal: AbortSignal): Promise<OpenStackOfHosts> {
    const options = { directory, guestGroup: GUEST_GROUP, aggregates: AGGREGATES, onProgress: tell };
    const openStack = await LocalOpenStack.open(options, signal);
    tell(openStack.environment['OS_AUTH_URL'] ?? '');
    return new OpenStackOfHosts(openStack);
  }

  /** Starts Nova's compute service of each host that is there, and resolves once they can take servers. */
  async startComputes({ hosts, print }: OpenStackHosts, tell: Tell, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, AbortSignal.timeout(READY_MS)]);
    this.#follower = new ComputeFollower(this.#openStack, hosts, print);
    const names = await this.#follower.begin(either);
    tell(names.join(', '));
    await this.#openStack.waitUntilReady(names, either);
  }

  /** Keeps the computes where their hosts are until the signal fires; rejects when a service ends before that. */
  async keep(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const following = this.#follower?.follow(AbortSignal.any([signal, over.signal]));
    try {
      const words = await Promise.race([this.#openStack.ended, following?.then(() => undefined)]);
      if (words === undefined || signal.aborted) return;
      throw new SmaltError('failed', `OpenStack cannot go on, because ${words}: start smalt up again`);
    } finally {
      over.abort();
      await following;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#openStack[Symbol.asyncDispose]();
  }
}

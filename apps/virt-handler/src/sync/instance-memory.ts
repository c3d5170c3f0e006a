import type { ConnectedNetwork } from '../network/network-plugin.ts';
import type { GuestFacts } from './guest/guest-facts.ts';

/** What a handler knows of one instance beside the API and libvirt. All of it can be found out again. */
export interface InstanceMemory {
  /** How its interfaces are connected; undefined until that was asked for. */
  networks: readonly ConnectedNetwork[] | undefined;
  guest: GuestFacts | undefined;
  /** When its agent was asked last, by the clock that never jumps. */
  guestAskedAt: number | undefined;
  /** When its guest was first asked to shut down. */
  shutdownAskedAt: number | undefined;
  /** When it was last asked to let go of a volume, by the name of the volume. */
  readonly detachAskedAt: Map<string, number>;
  readonly volumeProblems: Map<string, string>;
}

/** What is remembered of instances, by their uids. */
export class InstanceMemories {
  readonly #memories = new Map<string, InstanceMemory>();

  /** What is remembered, if anything is. */
  find(uid: string): InstanceMemory | undefined {
    return this.#memories.get(uid);
  }

  /** What is remembered, to be added to; whoever asks has a guest that ends, and is forgotten then. */
  of(uid: string): InstanceMemory {
    const known = this.#memories.get(uid);
    if (known !== undefined) return known;
    const memory: InstanceMemory = {
      networks: undefined,
      guest: undefined,
      guestAskedAt: undefined,
      shutdownAskedAt: undefined,
      detachAskedAt: new Map(),
      volumeProblems: new Map(),
    };
    this.#memories.set(uid, memory);
    return memory;
  }

  forget(uid: string): void {
    this.#memories.delete(uid);
  }
}

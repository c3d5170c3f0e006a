import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';

/** When a heartbeat was seen, by a steady clock of whoever looks. */
export interface HeartbeatSighting {
  /** When it was first seen to be as it is now. */
  readonly at: number;
  /** When the one before it was; undefined where this is the first that was seen. */
  readonly beforeAt: number | undefined;
}

/**
 * When the heartbeat of each node was seen to change. The time in it is that of another clock, which may be off by any amount,
 * so only that it is another text than before counts. A node that is seen for the first time has all its time before it.
 */
export class HeartbeatSightings {
  readonly #seen = new Map<string, HeartbeatSighting & { readonly text: string }>();

  /** Notes what a node shows now; undefined where it shows no heartbeat. */
  note({ metadata }: Node, now: number): HeartbeatSighting | undefined {
    const { name, annotations } = metadata;
    const text = annotations?.[WellKnownName.heartbeatAnnotation];
    const known = this.#seen.get(name);
    if (text === undefined) {
      this.#seen.delete(name);
      return undefined;
    }
    if (known?.text === text) return known;
    const sighting = { text, at: now, beforeAt: known?.at };
    this.#seen.set(name, sighting);
    return sighting;
  }

  /** Nodes that are gone need not be remembered. */
  forget(name: string): void {
    this.#seen.delete(name);
  }
}

import type { Node } from '@smalt/placement';
import { HeartbeatSightings, judgeHeartbeat } from '@smalt/vm-lifecycle';

/** Nodes may be looked at as seldom as a heartbeat is good for, and to be told of them takes a while. */
const GAP_TIMEOUTS = 2;

/** The last look at a node, and when the heartbeat that it shows was first seen. */
interface Look {
  readonly at: number;
  readonly heardAt: number;
  /** Whether nobody saw when it was new: it was there at the first look, or came while nobody looked. */
  readonly isUndated: boolean;
}

/** Hears of nodes by their heartbeats, as often as somebody looks at them. */
export class HeartbeatListener {
  readonly #sightings = new HeartbeatSightings();
  readonly #looks = new Map<string, Look>();
  readonly #timeoutMs: number;
  readonly #monotonic: () => number;

  constructor(timeoutMs: number, monotonic: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#monotonic = monotonic;
  }

  /** Whether the handler of a node is heard of. One that is seen for the first time is. */
  readonly isHeard = (node: Node): boolean => {
    const now = this.#monotonic();
    const heardAt = this.#look(node, now);
    return judgeHeartbeat(node, { heardAt, now, timeoutMs: this.#timeoutMs }).kind === 'alive';
  };

  /** Whether the heartbeat of a node that was just looked at may be of any age, so that it shows no life. */
  readonly isUnwatched = ({ metadata }: Node): boolean => this.#looks.get(metadata.name)?.isUndated === true;

  #look(node: Node, now: number): number | undefined {
    const { name } = node.metadata;
    const heardAt = this.#sightings.note(node, now)?.at;
    if (heardAt === undefined) {
      this.#looks.delete(name);
      return undefined;
    }
    const before = this.#looks.get(name);
    this.#looks.set(name, { at: now, heardAt, isUndated: this.#isUndated(before, heardAt, now) });
    return heardAt;
  }

  #isUndated(before: Look | undefined, heardAt: number, now: number): boolean {
    if (before === undefined) return true;
    if (before.heardAt === heardAt) return before.isUndated;
    // Where two lead by turns, what one of them saw last may be hours old.
    return now - before.at > GAP_TIMEOUTS * this.#timeoutMs;
  }
}

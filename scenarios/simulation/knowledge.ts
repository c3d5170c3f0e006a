/** One look of a leader as it can be seen from outside. What happened before these moments is known to it. */
export interface SeenLook {
  /** When it judged. */
  readonly at: number;
  readonly storeReadAt: number;
  /** How old its picture of the cluster was, and the last list of hosts of the compute system. */
  readonly pictureAt: number;
  readonly computeReadAt: number;
  /** When something that it needs was last seen to be out of reach. */
  readonly blindAt: number;
  /** As of when it knew what a host has; what was answered later did not count. */
  readonly factsReadAt: ReadonlyMap<string, number>;
}

/** A decision that is being stored, and the look that it rests on. */
export interface SeenDecision {
  readonly at: number;
  readonly look: SeenLook | undefined;
}

/** What is read of the store for a look; each has an answer of its own. */
export type StoreRead = 'signals' | 'hosts' | 'switches';

const NEVER = Number.NEGATIVE_INFINITY;

/** What one leader can know at the latest, from the answers that it was given. Rules about knowledge are exact by it. */
export class Knowledge {
  readonly #reads: Record<StoreRead, number> = { signals: NEVER, hosts: NEVER, switches: NEVER };
  readonly #decisions = new Map<string, SeenDecision>();
  readonly #marks = new Map<string, number>();
  readonly #facts = { servers: new Map<string, number>(), aggregates: new Map<string, number>() };
  #computeReadAt = NEVER;
  #blindAt = NEVER;
  #lastHeard: 'store' | 'compute' | undefined;
  #look: SeenLook | undefined;

  get look(): SeenLook | undefined {
    return this.#look;
  }

  /** The store has answered, as of a moment; or it has not. */
  hearStore(read: StoreRead, effectAt: number | undefined, now: number): void {
    this.#lastHeard = 'store';
    if (effectAt === undefined) this.blind(now);
    else this.#reads[read] = effectAt;
  }

  /** The compute system has listed its hosts, as of a moment; or it has not. */
  hearCompute(effectAt: number | undefined, now: number): void {
    this.#lastHeard = 'compute';
    if (effectAt === undefined) this.blind(now);
    else this.#computeReadAt = effectAt;
  }

  blind(now: number): void {
    this.#blindAt = now;
  }

  /** The picture of the cluster is asked for: by a look, if the last that was heard is what a look reads. */
  view(pictureAt: number, now: number): void {
    if (this.#lastHeard !== 'store') return;
    const { signals, hosts, switches } = this.#reads;
    this.#look = {
      at: now,
      storeReadAt: Math.min(signals, hosts, switches),
      pictureAt,
      computeReadAt: this.#computeReadAt,
      blindAt: this.#blindAt,
      factsReadAt: this.#factsReadAt(),
    };
  }

  /** The compute system has told which servers a host has, or which aggregates it is in; or it has not. */
  hearFacts(fact: 'servers' | 'aggregates', host: string, effectAt: number | undefined): void {
    if (effectAt !== undefined) this.#facts[fact].set(host, effectAt);
  }

  /** Of those of which both questions were ever answered. */
  #factsReadAt(): ReadonlyMap<string, number> {
    const known = new Map<string, number>();
    for (const [host, servers] of this.#facts.servers) {
      const aggregates = this.#facts.aggregates.get(host);
      if (aggregates !== undefined) known.set(host, Math.min(servers, aggregates));
    }
    return known;
  }

  /** An order to power a host off is about to be stored. */
  decide(host: string, now: number): void {
    this.#decisions.set(host, { at: now, look: this.#look });
  }

  decisionOn(host: string): SeenDecision | undefined {
    return this.#decisions.get(host);
  }

  /** The API server has heard that a host is to be marked, whatever it answers. */
  mark(host: string, now: number): void {
    this.#marks.set(host, now);
  }

  markedAt(host: string): number {
    return this.#marks.get(host) ?? NEVER;
  }
}

import { HaServiceError } from '../../ha-service-error.ts';
import { call, order, type EngineContext } from '../engine-context.ts';

const KIND = 'host-boot';

/** What is kept of one host: the boot that it was last seen in, and whether what it lost by it is still looked for. */
export interface KnownBoot {
  readonly bootId: string;
  readonly isWatched: boolean;
}

interface KeptBoot extends KnownBoot {
  readonly revision: number;
}

/** The last boot of every host, as the store has it. */
export class BootDocuments {
  readonly #context: EngineContext;
  readonly #kept = new Map<string, KeptBoot>();
  #isLoaded = false;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  all(): ReadonlyMap<string, KnownBoot> {
    return this.#kept;
  }

  /** Reads everything, and reads it again after a write whose fate is not known. */
  async load(signal: AbortSignal): Promise<void> {
    if (this.#isLoaded) return;
    const { documents } = this.#context.ports.store;
    const found = await call(this.#context, 'listing boots', signal, (inner) => documents.list(KIND, inner));
    this.#kept.clear();
    for (const { key, revision, content } of found) {
      const { bootId, isWatched } = Object(JSON.parse(content));
      if (typeof bootId === 'string') this.#kept.set(key, { revision, bootId, isWatched: isWatched === true });
    }
    this.#isLoaded = true;
  }

  async save(host: string, { bootId, isWatched }: KnownBoot, signal: AbortSignal): Promise<void> {
    const { documents } = this.#context.ports.store;
    const revision = (this.#kept.get(host)?.revision ?? 0) + 1;
    const document = { key: host, revision, content: JSON.stringify({ bootId, isWatched }) };
    this.#isLoaded = false;
    const outcome = await order(this.#context, { what: 'storing a boot' }, signal, (inner) =>
      documents.save(KIND, document, inner),
    );
    if (outcome === 'overtaken') {
      throw new HaServiceError('lead-lost', `${KIND} ${host} was changed by another: this replica leads no more`);
    }
    this.#isLoaded = true;
    this.#kept.set(host, { revision, bootId, isWatched });
  }

  async delete(host: string, signal: AbortSignal): Promise<void> {
    const { documents } = this.#context.ports.store;
    this.#isLoaded = false;
    await order(this.#context, { what: 'forgetting a boot' }, signal, (inner) => documents.delete(KIND, host, inner));
    this.#isLoaded = true;
    this.#kept.delete(host);
  }
}

import { HaServiceError } from '../../ha-service-error.ts';
import { call, order, type EngineContext } from '../engine-context.ts';

const KIND = 'held-host-mark';

type MarkContext = Pick<EngineContext, 'ports' | 'settings'>;

/**
 * Remembers that `ha` was seen in `spec.maintenance` of a host that is held. Whoever clears it after that lets the host go,
 * even if nobody led just then.
 */
export class HeldMarks {
  readonly #context: MarkContext;

  constructor(context: MarkContext) {
    this.#context = context;
  }

  async has(host: string, incidentId: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#read(host, signal))?.content === contentOf(incidentId);
  }

  async set(host: string, incidentId: string, signal: AbortSignal): Promise<void> {
    const { documents } = this.#context.ports.store;
    const before = await this.#read(host, signal);
    const content = contentOf(incidentId);
    if (before?.content === content) return;
    const document = { key: host, revision: (before?.revision ?? 0) + 1, content };
    const outcome = await order(this.#context, { what: 'noting a mark' }, signal, (inner) =>
      documents.save(KIND, document, inner),
    );
    if (outcome === 'stored') return;
    throw new HaServiceError('lead-lost', `the mark of ${host} was changed by another: this replica leads no more`);
  }

  async remove(host: string, signal: AbortSignal): Promise<void> {
    const { documents } = this.#context.ports.store;
    await order(this.#context, { what: 'forgetting a mark' }, signal, (inner) => documents.delete(KIND, host, inner));
  }

  async #read(host: string, signal: AbortSignal) {
    const { documents } = this.#context.ports.store;
    return await call(this.#context, 'reading a mark', signal, (inner) => documents.get(KIND, host, inner));
  }
}

function contentOf(incidentId: string): string {
  return JSON.stringify({ incidentId });
}

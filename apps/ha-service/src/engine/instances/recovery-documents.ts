import { adoptRecovery, type RecoveryRecord } from '@smalt/instance-recovery';

import { HaServiceError } from '../../ha-service-error.ts';
import { readCursor, writeCursor } from '../../ports/cursor-content.ts';
import { CursorKind } from '../../ports/ha-store.ts';
import { call, order, type EngineContext } from '../engine-context.ts';

const RECORD_KIND = 'instance-recovery';
const CURSOR_KEY = 'telemetry';

/** What is kept of one instance, with the events of the last page that it has taken in already. */
export interface KeptRecovery {
  readonly revision: number;
  readonly record: RecoveryRecord;
  readonly heard: readonly string[];
}

/** The records of instance recovery and the place up to which events were read, as the store has them. */
export class RecoveryDocuments {
  readonly #context: EngineContext;
  readonly #kept = new Map<string, KeptRecovery>();
  #cursor: { readonly revision: number; readonly after: string | undefined } = { revision: 0, after: undefined };
  #isLoaded = false;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  get after(): string | undefined {
    return this.#cursor.after;
  }

  all(): ReadonlyMap<string, KeptRecovery> {
    return this.#kept;
  }

  /** Reads everything, and reads it again after a write whose fate is not known. */
  async load(signal: AbortSignal): Promise<void> {
    if (this.#isLoaded) return;
    const { documents } = this.#context.ports.store;
    const [cursor, records] = await Promise.all([
      call(this.#context, 'reading a cursor', signal, (inner) => documents.get(CursorKind.events, CURSOR_KEY, inner)),
      call(this.#context, 'listing recoveries', signal, (inner) => documents.list(RECORD_KIND, inner)),
    ]);
    const now = this.#context.ports.clock.now();
    this.#cursor = { revision: cursor?.revision ?? 0, after: cursor && readCursor(cursor.content) };
    this.#kept.clear();
    for (const { key, revision, content } of records) {
      const found = readRecovery(content);
      if (found !== undefined) this.#kept.set(key, { revision, ...found, record: adoptRecovery(found.record, now) });
    }
    this.#isLoaded = true;
  }

  async saveCursor(after: string, signal: AbortSignal): Promise<void> {
    const revision = this.#cursor.revision + 1;
    await this.#save(CursorKind.events, { key: CURSOR_KEY, revision, content: writeCursor(after) }, signal);
    this.#cursor = { revision, after };
  }

  async save(id: string, kept: Omit<KeptRecovery, 'revision'>, signal: AbortSignal): Promise<void> {
    const revision = (this.#kept.get(id)?.revision ?? 0) + 1;
    await this.#save(RECORD_KIND, { key: id, revision, content: JSON.stringify(kept) }, signal);
    this.#kept.set(id, { ...kept, revision });
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    const { documents } = this.#context.ports.store;
    await this.#write(() =>
      order(this.#context, { what: 'forgetting a recovery' }, signal, (inner) =>
        documents.delete(RECORD_KIND, id, inner),
      ),
    );
    this.#kept.delete(id);
  }

  async #save(
    kind: string,
    document: { readonly key: string; readonly revision: number; readonly content: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { documents } = this.#context.ports.store;
    const outcome = await this.#write(() =>
      order(this.#context, { what: 'storing a recovery' }, signal, (inner) => documents.save(kind, document, inner)),
    );
    if (outcome === 'overtaken') {
      throw new HaServiceError(
        'lead-lost',
        `${kind} ${document.key} was changed by another: this replica leads no more`,
      );
    }
  }

  /** As long as it is not known what became of a write, what is here may not be what is there. */
  async #write<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      this.#isLoaded = false;
      throw error;
    }
  }
}

function readRecovery(content: string): Omit<KeptRecovery, 'revision'> | undefined {
  const value: unknown = JSON.parse(content);
  return isKept(value) ? value : undefined;
}

/** These are our own documents; what another version has written otherwise is begun anew. */
function isKept(value: unknown): value is Omit<KeptRecovery, 'revision'> {
  if (!isFields(value) || !Array.isArray(value['heard'])) return false;
  const { record } = value;
  return isFields(record) && typeof record['instanceId'] === 'string' && Array.isArray(record['restarts']);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

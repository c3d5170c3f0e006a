import { setTimeout as delay } from 'node:timers/promises';

import { isJsonObject, type JsonObject } from '@smalt/json';

import type { ApiClient } from './api-client.ts';
import type { StoredRecord } from './ledger.ts';
import { metadataText, type RecordKind } from './record-kind.ts';

const RETRY_MS = 20;

/** Watches one kind, resumes after each break where it was, and complains of every event that is not the next one. */
export class EventReader {
  readonly events: Map<number, { readonly key: string; readonly value: number }> = new Map();
  /** What is there according to the events alone. */
  readonly state: Map<string, StoredRecord> = new Map();
  #last: number;
  readonly #kind: RecordKind;
  readonly #client: ApiClient;
  readonly #complain: (text: string) => void;

  constructor(kind: RecordKind, client: ApiClient, from: number, complain: (text: string) => void) {
    this.#kind = kind;
    this.#client = client;
    this.#last = from;
    this.#complain = complain;
  }

  /** The newest event it has seen. */
  get resourceVersion(): number {
    return this.#last;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const path = `${this.#kind.path}?watch=true&resourceVersion=${this.#last}`;
        await this.#client.lines(path, (event) => this.#take(event), signal);
      } catch (error) {
        if (!signal.aborted && !isRefused(error)) throw error;
      }
      await delay(RETRY_MS);
    }
  }

  #take(event: JsonObject): void {
    const { type, object } = event;
    if (typeof type !== 'string' || object === undefined || !isJsonObject(object) || type === 'ERROR')
      return this.#complain(`${this.#kind.plural}: the watch said ${JSON.stringify(event)}`);
    const resourceVersion = Number(metadataText(object, 'resourceVersion'));
    const key = `${this.#kind.plural}/${metadataText(object, 'name')}`;
    if (!(resourceVersion > this.#last))
      this.#complain(`${key}: the event at ${resourceVersion} came after that at ${this.#last}`);
    this.#last = resourceVersion;
    this.#apply(type, key, { value: this.#kind.valueOf(object), resourceVersion });
  }

  #apply(type: string, key: string, record: StoredRecord): void {
    const isThere = this.state.has(key);
    if (isThere === (type === 'ADDED'))
      this.#complain(`${key}: ${type} at ${record.resourceVersion}, but it ${isThere ? 'is' : 'is not'} there`);
    this.events.set(record.resourceVersion, { key, value: record.value });
    if (type === 'DELETED') this.state.delete(key);
    else this.state.set(key, record);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET');
}

import type { ApiClient } from './api-client.ts';
import type { Ledger, StoredRecord } from './ledger.ts';
import { metadataText, RECORD_KINDS, type RecordKind } from './record-kind.ts';

const NAMES = 6;

export interface WriterOptions {
  readonly name: string;
  readonly client: ApiClient;
  readonly ledger: Ledger;
  readonly random: () => number;
  readonly nextValue: () => number;
  readonly complain: (text: string) => void;
}

/** Creates, updates, patches and deletes objects of its own, one request at a time, until the server is gone. */
export class Writer {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Ends with the first request that gets no answer. */
  async run(): Promise<void> {
    try {
      for (;;) await this.#writeOnce();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #writeOnce(): Promise<void> {
    const { ledger, random, name: writer } = this.#options;
    const kind = RECORD_KINDS[Math.floor(random() * RECORD_KINDS.length)];
    if (kind === undefined) return;
    const name = `${writer}-${Math.floor(random() * NAMES)}`;
    const known = ledger.known(`${kind.plural}/${name}`);
    const choice = random();
    if (known !== undefined && choice < 0.15) return this.#delete(kind, name);
    const value = this.#options.nextValue();
    ledger.ask(`${kind.plural}/${name}`, value);
    if (known === undefined) return this.#send(kind, name, ['POST', kind.path, kind.make(name, value)]);
    const path = `${kind.path}/${name}`;
    if (choice < 0.4) return this.#send(kind, name, ['PATCH', path, kind.patch(value)]);
    return this.#send(kind, name, ['PUT', path, withResourceVersion(kind, name, value, known)]);
  }

  async #delete(kind: RecordKind, name: string): Promise<void> {
    const { client, ledger, complain } = this.#options;
    const key = `${kind.plural}/${name}`;
    ledger.ask(key, 'deleted');
    const { status, object } = await client.ask('DELETE', `${kind.path}/${name}`);
    if (status !== 200) return complain(`deleting ${key}: ${status} ${JSON.stringify(object)}`);
    ledger.acknowledge(key, undefined);
  }

  async #send(kind: RecordKind, name: string, words: Parameters<ApiClient['ask']>): Promise<void> {
    const { client, ledger, complain } = this.#options;
    const key = `${kind.plural}/${name}`;
    const { status, object } = await client.ask(...words);
    if (status !== 200 && status !== 201) return complain(`${words[0]} of ${key}: ${status} ${JSON.stringify(object)}`);
    const resourceVersion = Number(metadataText(object, 'resourceVersion'));
    ledger.acknowledge(key, { value: kind.valueOf(object), resourceVersion });
  }
}

function withResourceVersion(kind: RecordKind, name: string, value: number, known: StoredRecord) {
  const metadata = { name, resourceVersion: String(known.resourceVersion) };
  return { ...kind.make(name, value), metadata };
}

function isGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'ECONNREFUSED' || error.code === 'EPIPE')
  );
}

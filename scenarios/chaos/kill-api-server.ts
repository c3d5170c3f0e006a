import { setTimeout as delay } from 'node:timers/promises';

import { startSmaltApiServer, type SmaltApiServer, type SmaltProgram } from '@smalt/bed-kubernetes';
import { isJsonObject, type JsonObject } from '@smalt/json';

import { ApiClient } from './api-client.ts';
import { EventReader } from './event-reader.ts';
import { Ledger, type StoredRecord } from './ledger.ts';
import { metadataText, NAMESPACE, RECORD_KINDS, recordDefinition, type RecordKind } from './record-kind.ts';
import { seededRandom } from './seeded-random.ts';
import { Writer } from './writer.ts';

const MOST_WRITES_PER_ROUND = 80;
const LONGEST_ROUND_MS = 2_000;
const CATCH_UP_TIMEOUT_MS = 10_000;

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  readonly clients: number;
  readonly program: SmaltProgram;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledgedWrites: number;
  readonly events: number;
  readonly longestRestartMs: number;
  /** Every promise that was not kept; empty when all is well. */
  readonly complaints: readonly string[];
}

/** Kills an API server again and again while clients write and watch, and checks every promise it made to them. */
export async function killApiServer(options: KillOptions): Promise<KillReport> {
  await using server = await startSmaltApiServer({ ...options, flags: ['--log-level', 'warn'] });
  const run = await KillRun.begin(server, options);
  let longestRestartMs = 0;
  try {
    for (let round = 1; round <= options.kills; round++) {
      longestRestartMs = Math.max(longestRestartMs, await run.killOnce());
      if (round % 25 === 0) options.progress(`${round} kills, ${run.ledger.writes} acknowledged writes`);
    }
  } finally {
    await run.end();
  }
  const { ledger, complaints } = run;
  return {
    kills: options.kills,
    acknowledgedWrites: ledger.writes,
    events: run.eventCount,
    longestRestartMs,
    complaints,
  };
}

class KillRun {
  readonly ledger = new Ledger();
  readonly complaints: string[] = [];
  readonly #server: SmaltApiServer;
  readonly #options: KillOptions;
  readonly #client: ApiClient;
  readonly #random: () => number;
  readonly #writers: readonly Writer[];
  readonly #readers: readonly EventReader[];
  readonly #stopReading = new AbortController();
  readonly #reading: Promise<unknown>;

  private constructor(server: SmaltApiServer, options: KillOptions, client: ApiClient, from: number) {
    this.#server = server;
    this.#options = options;
    this.#client = client;
    this.#random = seededRandom(options.seed);
    const complain = (text: string): void => void this.complaints.push(text);
    let value = 0;
    const nextValue = (): number => ++value;
    this.#writers = Array.from({ length: options.clients }, (_, index) => {
      const random = seededRandom(options.seed + 1 + index);
      const own = { name: `w${index}`, client: new ApiClient(server), random, nextValue };
      return new Writer({ ...own, ledger: this.ledger, complain });
    });
    this.#readers = RECORD_KINDS.map((kind) => new EventReader(kind, client, from, complain));
    this.#reading = Promise.all(this.#readers.map((reader) => reader.run(this.#stopReading.signal)));
  }

  static async begin(server: SmaltApiServer, options: KillOptions): Promise<KillRun> {
    const client = new ApiClient(server);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    await client.ask('POST', '/api/v1/namespaces', namespace);
    await client.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', recordDefinition());
    while ((await client.ask('GET', RECORD_KINDS[0]?.path ?? '')).status !== 200)
      await delay(20, undefined, { signal: options.signal });
    // The namespace brings objects of its own, which are none of ours.
    const from = Number(metadataText((await client.ask('GET', RECORD_KINDS[1]?.path ?? '')).object, 'resourceVersion'));
    return new KillRun(server, options, client, from);
  }

  get eventCount(): number {
    return this.#readers.reduce((sum, { events }) => sum + events.size, 0);
  }

  /** Lets the clients write for a moment, kills the server, starts it again and checks what is there. */
  async killOnce(): Promise<number> {
    const { signal } = this.#options;
    const writing = Promise.all(this.#writers.map((writer) => writer.run()));
    await this.#whileWritten(Math.ceil(this.#random() * MOST_WRITES_PER_ROUND));
    await this.#server.kill();
    await writing;
    const restartMs = await this.#server.restart(signal);
    await this.#check();
    return restartMs;
  }

  /** Counted in writes, so that a slow machine tests as much as a fast one; the last pause puts the kill anywhere. */
  async #whileWritten(count: number): Promise<void> {
    const target = this.ledger.writes + count;
    const deadline = performance.now() + LONGEST_ROUND_MS;
    do await delay(this.#random() * 10, undefined, { signal: this.#options.signal });
    while (this.ledger.writes < target && performance.now() < deadline);
  }

  async end(): Promise<void> {
    this.#stopReading.abort();
    await this.#reading;
    const events = new Map(this.#readers.flatMap((reader) => [...reader.events]));
    for (const { key, value, resourceVersion } of this.ledger.acknowledged) {
      const event = events.get(resourceVersion);
      if (event?.key !== key || event.value !== value)
        this.complaints.push(`${key} = ${value} at ${resourceVersion} was acknowledged, but no watcher heard of it`);
    }
    this.#client[Symbol.dispose]();
  }

  async #check(): Promise<void> {
    const stored = new Map<string, StoredRecord>();
    for (const [index, kind] of RECORD_KINDS.entries()) {
      const { object } = await this.#client.ask('GET', kind.path);
      const own = storedRecords(kind, object);
      for (const [key, record] of own) stored.set(key, record);
      await this.#checkReader(this.#readers[index], own, Number(metadataText(object, 'resourceVersion')));
    }
    this.complaints.push(...this.ledger.compare(stored));
  }

  async #checkReader(
    reader: EventReader | undefined,
    stored: ReadonlyMap<string, StoredRecord>,
    resourceVersion: number,
  ): Promise<void> {
    if (reader === undefined) return;
    if (reader.resourceVersion > resourceVersion)
      this.complaints.push(`a watcher was told of ${reader.resourceVersion}, but the server is at ${resourceVersion}`);
    const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
    while (!isSame(reader.state, stored) && performance.now() < deadline) await delay(5);
    if (!isSame(reader.state, stored))
      this.complaints.push(`a watcher that resumed does not know what is there at ${resourceVersion}`);
  }
}

function storedRecords(kind: RecordKind, list: JsonObject): ReadonlyMap<string, StoredRecord> {
  const items = Array.isArray(list['items']) ? list['items'].filter((item) => isJsonObject(item)) : [];
  return new Map(
    items
      .filter((item) => metadataText(item, 'name').startsWith('w'))
      .map((item) => [
        `${kind.plural}/${metadataText(item, 'name')}`,
        { value: kind.valueOf(item), resourceVersion: Number(metadataText(item, 'resourceVersion')) },
      ]),
  );
}

function isSame(one: ReadonlyMap<string, StoredRecord>, other: ReadonlyMap<string, StoredRecord>): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([key, { resourceVersion }]) => other.get(key)?.resourceVersion === resourceVersion);
}

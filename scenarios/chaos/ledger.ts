/** What is in the store of one object: its number and when it was written. */
export interface StoredRecord {
  readonly value: number;
  readonly resourceVersion: number;
}

interface Entry {
  /** What the server has acknowledged last; undefined when that was a deletion, or nothing yet. */
  readonly known: StoredRecord | undefined;
  /** What was asked for and not answered: the number, or 'deleted'. */
  readonly asked: number | 'deleted' | undefined;
}

/** A write that the server has acknowledged. */
export interface Acknowledged extends StoredRecord {
  readonly key: string;
}

/** Remembers what the server has promised, and finds what it has not kept. */
export class Ledger {
  readonly acknowledged: Acknowledged[] = [];
  readonly #entries = new Map<string, Entry>();
  #deletions = 0;

  get writes(): number {
    return this.acknowledged.length + this.#deletions;
  }

  known(key: string): StoredRecord | undefined {
    return this.#entries.get(key)?.known;
  }

  /** A request is about to be sent; from now on it may have been carried out. */
  ask(key: string, asked: number | 'deleted'): void {
    this.#entries.set(key, { known: this.known(key), asked });
  }

  acknowledge(key: string, known: StoredRecord | undefined): void {
    this.#entries.set(key, { known, asked: undefined });
    if (known === undefined) this.#deletions++;
    else this.acknowledged.push({ key, ...known });
  }

  /** Compares with everything that is stored, and takes over what became of requests that were not answered. */
  compare(stored: ReadonlyMap<string, StoredRecord>): readonly string[] {
    const complaints: string[] = [];
    for (const key of new Set([...this.#entries.keys(), ...stored.keys()])) {
      const entry = this.#entries.get(key) ?? { known: undefined, asked: undefined };
      const found = stored.get(key);
      if (!isExplained(entry, found)) complaints.push(`${key} is ${show(found)}, not ${show(entry.known)}`);
      this.#entries.set(key, { known: found, asked: undefined });
    }
    return complaints;
  }
}

function isExplained({ known, asked }: Entry, found: StoredRecord | undefined): boolean {
  if (found?.resourceVersion === known?.resourceVersion && found?.value === known?.value) return true;
  if (asked === undefined) return false;
  if (found === undefined) return asked === 'deleted';
  return found.value === asked && found.resourceVersion > (known?.resourceVersion ?? 0);
}

function show(record: StoredRecord | undefined): string {
  return record === undefined ? 'not there' : `${record.value} at ${record.resourceVersion}`;
}

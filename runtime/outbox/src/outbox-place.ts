import {
  chmodSync,
  closeSync,
  fsyncSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

import { OutboxFile, type Sqlite } from './outbox-file.ts';

const NAME = 'outbox.db';
const ALL_SAVED = 'all-numbers-are-saved';
const DAMAGED = /^outbox-damaged-\d+\.db$/;
const MOST_DAMAGED = 2;

/** The directory of an outbox. Nobody but its owner may look into it. */
export class OutboxPlace {
  readonly path: string;
  readonly #directory: string;
  readonly #sqlite: Sqlite;

  constructor(directory: string, sqlite: Sqlite) {
    this.#directory = directory;
    this.#sqlite = sqlite;
    this.path = join(directory, NAME);
  }

  /** Opens the file, or makes it with this epoch. */
  open(newEpoch: string): OutboxFile {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    chmodSync(this.#directory, 0o700);
    // Before there is a file: one without the mark has an owner who gave numbers that are not in it.
    if (!existsSync(this.path)) this.markAllSaved();
    return new OutboxFile(this.#sqlite, this.path, newEpoch);
  }

  /** Gives a damaged file another name, for people to look at; of older ones only the newest are kept. */
  moveAway(now: Date): string {
    const target = join(this.#directory, `outbox-damaged-${now.getTime()}.db`);
    renameSync(this.path, target);
    if (existsSync(`${this.path}-wal`)) renameSync(`${this.path}-wal`, `${target}-wal`);
    const damaged = readdirSync(this.#directory)
      .filter((name) => DAMAGED.test(name))
      .toSorted();
    for (const name of damaged.slice(0, -MOST_DAMAGED)) {
      for (const suffix of ['', '-wal']) rmSync(join(this.#directory, `${name}${suffix}`), { force: true });
    }
    return target;
  }

  /** Whether the last owner has given no number that is not in the file. */
  isAllSaved(): boolean {
    return existsSync(join(this.#directory, ALL_SAVED));
  }

  markAllSaved(): void {
    closeSync(openSync(join(this.#directory, ALL_SAVED), 'a', 0o600));
    this.#syncDirectory();
  }

  /** Tells whether there was a mark. */
  removeMark(): boolean {
    // The mark is there when all is well, because on a full disk a file can be removed but not always be made.
    if (!this.isAllSaved()) return false;
    rmSync(join(this.#directory, ALL_SAVED));
    this.#syncDirectory();
    return true;
  }

  #syncDirectory(): void {
    const descriptor = openSync(this.#directory, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';
import type { Ignore } from '@smalt/service-runtime';

import { digestOf, type InterfaceIdentity } from '../interface-identity.ts';
import type { InterfaceClaim } from './interface-claim.ts';
import { isInUse, parseInterfaceRecord, type InterfaceRecord } from './interface-record.ts';
import { planClaim, type ClaimPlan } from './plan-claim.ts';

/** Released records that are kept at most; those given back longest ago go first. */
const MOST_RELEASED = 2_000;
const ENDING = '.json';

export interface InterfaceRegisterOptions {
  readonly directory: string;
  readonly now: () => number;
  readonly ignore: Ignore;
}

/** Who has which hardware address and address on this node: one file for each interface. Not for use by two at a time. */
export class InterfaceRegister {
  readonly #options: InterfaceRegisterOptions;
  readonly #records: Map<string, InterfaceRecord>;

  private constructor(options: InterfaceRegisterOptions, records: Map<string, InterfaceRecord>) {
    this.#options = options;
    this.#records = records;
  }

  /** Reads what is there. A file that makes no sense is removed: its interface is given anew what its names lead to. */
  static async open(options: InterfaceRegisterOptions): Promise<InterfaceRegister> {
    const { directory, ignore } = options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const records = new Map<string, InterfaceRecord>();
    for (const file of await readdir(directory)) {
      const record = file.endsWith(ENDING)
        ? parseInterfaceRecord(await readFile(join(directory, file), 'utf8'))
        : undefined;
      if (record && fileOf(record) === file) {
        records.set(file, record);
        continue;
      }
      ignore(new Error(`${file} is no record of an interface`), 'damaged record of an interface');
      await rm(join(directory, file), { force: true, recursive: true });
    }
    return new InterfaceRegister(options, records);
  }

  /** The interfaces that are in use. */
  inUse(): readonly InterfaceRecord[] {
    return [...this.#records.values()].filter(isInUse);
  }

  /** Gives an interface what it asks for, or says why not. What it was given is on disk then. */
  async claim(claim: InterfaceClaim): Promise<ClaimPlan> {
    const plan = planClaim([...this.#records.values()], claim);
    if (plan.kind !== 'given') return plan;
    for (const displaced of plan.displaced) await this.#remove(displaced);
    await this.#write(plan.record);
    return plan;
  }

  /** Says that interfaces are no longer in use. They get the same again if they come back. */
  async release(gone: readonly InterfaceRecord[]): Promise<void> {
    const releasedAt = this.#options.now();
    for (const record of gone) await this.#write({ ...record, releasedAt });
    const released = [...this.#records.values()].filter((record) => !isInUse(record));
    const surplus = released
      .toSorted((one, other) => (one.releasedAt ?? 0) - (other.releasedAt ?? 0))
      .slice(0, Math.max(0, released.length - MOST_RELEASED));
    for (const record of surplus) await this.#remove(record);
  }

  async #write(record: InterfaceRecord): Promise<void> {
    const file = fileOf(record);
    await writeFileSafely(join(this.#options.directory, file), JSON.stringify(record));
    this.#records.set(file, record);
  }

  async #remove(record: InterfaceRecord): Promise<void> {
    const file = fileOf(record);
    await rm(join(this.#options.directory, file), { force: true });
    this.#records.delete(file);
  }
}

/** Names of instances are no names of files. */
function fileOf(identity: InterfaceIdentity): string {
  return `${digestOf('file', identity).toString('hex', 0, 16)}${ENDING}`;
}

import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { readCounts, type CountedBoot } from './counting-guest.ts';
import type { HaBed } from './ha-bed.ts';

const STEP_MS = 60_000;
const POLL_MS = 200;
/** A guest that has written so many blocks more runs, whatever was still on its way to the disk. */
const FEW = 2;

/** What all guests have written to their disks. Every look at it fails when two were seen to write to one. */
export class GuestCounts {
  readonly #bed: HaBed;
  readonly #ids: readonly string[];

  constructor(bed: HaBed, ids: readonly string[]) {
    this.#bed = bed;
    this.#ids = ids;
  }

  async boots(): Promise<readonly (readonly CountedBoot[])[]> {
    return await Promise.all(this.#ids.map((id) => readCounts(this.#bed.diskOf(id))));
  }

  /** Waits until all of them have booted and write. */
  async begin(signal: AbortSignal): Promise<void> {
    while (!(await this.#haveBegun())) await delay(POLL_MS, undefined, { signal });
  }

  async #haveBegun(): Promise<boolean> {
    const disks = this.#ids.map((id) => this.#bed.diskOf(id));
    return disks.every((disk) => existsSync(disk)) && (await this.boots()).every((each) => total(each) > FEW);
  }

  /** Waits until all of them have written more than they have now. */
  async goOn(): Promise<void> {
    const before = await this.boots();
    const isOn = (each: readonly CountedBoot[], index: number): boolean =>
      total(each) > total(before[index] ?? []) + FEW;
    const deadline = AbortSignal.timeout(STEP_MS);
    for (;;) {
      const now = await this.boots();
      if (now.every(isOn)) return;
      if (deadline.aborted) throw new Error(`not all guests write: ${JSON.stringify({ before, now })}`);
      await delay(POLL_MS);
    }
  }
}

function total(boots: readonly CountedBoot[]): number {
  return boots.reduce((sum, { records }) => sum + records, 0);
}

import type { JsonObject } from '@smalt/json';

import { isDeed } from './is-deed.ts';

/** So many of each sort are kept in memory; the file has more. */
const MOST_DEEDS = 2_000;
const MOST_OTHERS = 1_000;

/** An audit event that can be asked for. It never changes. */
export interface AuditRecord {
  /** Of this server since its start, in the order in which things ended. */
  readonly number: number;
  readonly isDeed: boolean;
  readonly event: JsonObject;
}

export interface AuditChange {
  readonly added: AuditRecord;
  /** What made room for it. */
  readonly dropped: AuditRecord | undefined;
}

export interface AuditTrailOptions {
  /** The first number; later than all that an earlier server gave out. */
  readonly firstNumber: number;
  readonly mostDeeds?: number;
  readonly mostOthers?: number;
}

/** The newest audit events. Deeds are kept apart: those who only look, or are refused, cannot push out what somebody did. */
export class AuditTrail {
  readonly #most: { readonly deeds: number; readonly others: number };
  readonly #deeds: AuditRecord[] = [];
  readonly #others: AuditRecord[] = [];
  readonly #listeners = new Set<(change: AuditChange) => void>();
  #number: number;
  #droppedUpTo: number;

  constructor({ firstNumber, mostDeeds = MOST_DEEDS, mostOthers = MOST_OTHERS }: AuditTrailOptions) {
    this.#number = firstNumber;
    this.#droppedUpTo = firstNumber;
    this.#most = { deeds: mostDeeds, others: mostOthers };
  }

  /** The number of the newest one. */
  get number(): number {
    return this.#number;
  }

  /** The newest of those that are no longer kept: who knows of it has missed nothing. */
  get droppedUpTo(): number {
    return this.#droppedUpTo;
  }

  add(event: JsonObject): void {
    this.#number += 1;
    const added = { number: this.#number, isDeed: isDeed(event), event };
    const [kept, most] = added.isDeed ? [this.#deeds, this.#most.deeds] : [this.#others, this.#most.others];
    kept.push(added);
    const dropped = kept.length > most ? kept.shift() : undefined;
    this.#droppedUpTo = Math.max(this.#droppedUpTo, dropped?.number ?? 0);
    for (const listener of this.#listeners) listener({ added, dropped });
  }

  /** All that are kept, the oldest first. */
  records(): readonly AuditRecord[] {
    return [...this.#deeds, ...this.#others].toSorted((one, other) => one.number - other.number);
  }

  /** Calls the listener with each change from now on, until the returned function is called. */
  subscribe(listener: (change: AuditChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

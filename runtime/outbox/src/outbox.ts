import { randomUUID } from 'node:crypto';

import { totalsOf, withGaps, withinLimits, withoutUpTo } from './memory-entries.ts';
import {
  firstOf,
  itemBytes,
  type OutboxEntry,
  type OutboxGap,
  type OutboxLimits,
  type OutboxTotals,
} from './outbox-entry.ts';
import { OutboxError } from './outbox-error.ts';
import type { OutboxFile } from './outbox-file.ts';
import type { OutboxNotice } from './outbox-notice.ts';
import type { OutboxPlace } from './outbox-place.ts';
import { sqliteTrouble } from './sqlite-trouble.ts';
import { WaitingDrafts, type OutboxDraft, type WaitingAppend } from './waiting-drafts.ts';

/** So many numbers may be given while the disk cannot be written; after a crash all of them are passed over. */
const MOST_UNSAVED = 1_000_000;

type Loss = 'damaged' | 'unsaved';

export interface OutboxSettings {
  /** On disk. */
  readonly limits: OutboxLimits;
  /** In memory, while the disk cannot be written. */
  readonly memoryLimits: OutboxLimits;
  readonly mostItemBytes: number;
  /** How often a disk that cannot be written is tried again. */
  readonly retryMs: number;
  readonly now: () => Date;
  readonly onNotice: (notice: OutboxNotice) => void;
}

export interface OutboxState extends OutboxTotals {
  /** When the oldest entry was stored, in milliseconds since 1970. */
  readonly oldestAt: number | undefined;
  /** Since when the disk cannot be written. */
  readonly degradedSince: Date | undefined;
}

/**
 * A bounded queue on disk. Every item gets the next number of the epoch, and no number is ever given to two items. All
 * numbers stay, in order, until they are acknowledged; those whose item had to go are covered by a gap.
 */
export class Outbox implements AsyncDisposable {
  readonly #place: OutboxPlace;
  readonly #settings: OutboxSettings;
  readonly #waiting = new WaitingDrafts();
  /** Nothing until the file could be opened for the first time, and after it was damaged. */
  #file: OutboxFile | undefined;
  /** What has numbers and is not in the file. */
  #memory: readonly OutboxEntry[] = [];
  #epoch: string = randomUUID();
  #lastSequence = 0;
  #lastSaved = 0;
  #acknowledged = 0;
  /** What was set aside while the file could not be told. */
  readonly #refused = new Map<number, string>();
  #isFlushDue = false;
  #hasOpened = false;
  #isClosed = false;
  #wasDamaged = false;
  /** Whether the numbers that are given now cannot be given again by who comes after us. */
  #isGuarded = false;
  #hasRemovedMark = false;
  #degradedSince: Date | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(place: OutboxPlace, settings: OutboxSettings) {
    this.#place = place;
    this.#settings = settings;
    this.#save();
  }

  /** What the numbers belong to. Another one begins when the old numbers are lost. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The newest number that was given. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  get state(): OutboxState {
    const parts = [this.#file?.totals, totalsOf(this.#memory), this.#waiting.totals];
    return {
      items: parts.reduce((sum, part) => sum + (part?.items ?? 0), 0),
      bytes: parts.reduce((sum, part) => sum + (part?.bytes ?? 0), 0),
      oldestAt: this.#oldestAt(),
      degradedSince: this.#degradedSince,
    };
  }

  /**
   * Puts items in and resolves with their numbers, once they are on disk. While the disk cannot be written they are kept
   * in memory instead. All that is put in during one turn is one write.
   */
  append(drafts: readonly OutboxDraft[]): Promise<readonly number[]> {
    if (this.#isClosed) return Promise.reject(new OutboxError('closed', 'the outbox is closed'));
    const { mostItemBytes } = this.#settings;
    if (drafts.some(({ body }) => itemBytes(body) > mostItemBytes)) {
      return Promise.reject(new OutboxError('too-large', `an item may take at most ${mostItemBytes} bytes`));
    }
    if (!this.#isFlushDue) setImmediate(() => this.#flush());
    this.#isFlushDue = true;
    return this.#waiting.add(drafts);
  }

  /** The oldest entries, as many as fit; the first in any case. They stay until they are acknowledged. */
  peek(most: OutboxLimits): readonly OutboxEntry[] {
    const taken: OutboxEntry[] = [];
    let bytes = 0;
    for (const entry of this.#entries()) {
      bytes += entry.kind === 'item' ? itemBytes(entry.body) : 0;
      if (taken.length > 0 && (taken.length >= most.items || bytes > most.bytes)) break;
      taken.push(entry);
    }
    return taken;
  }

  /** Forgets all numbers up to this one. */
  acknowledge(sequence: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, Math.min(sequence, this.#lastSequence));
    this.#memory = withoutUpTo(this.#memory, this.#acknowledged);
    // What cannot be written down now is forgotten here and comes again after a restart, with the same number.
    this.#attempt((file) => file.acknowledge(this.#acknowledged));
  }

  /** Takes an item out of the way that nobody wants: it is kept for people to look at, and a gap takes its place. */
  setAside(sequence: number, why: string): void {
    this.#memory = withGaps(this.#memory, new Set([sequence]), 'refused');
    const isTold = this.#attempt((file) => void file.setAside(sequence, why));
    if (!isTold) this.#refused.set(sequence, why);
  }

  /** Begins another epoch, because the numbers of this one are known elsewhere for something else. */
  beginEpoch(): void {
    const epoch = randomUUID();
    this.#epoch = epoch;
    this.#attempt((file) => file.setEpoch(epoch));
  }

  /** Writes what waits and lets go of the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    if (this.#degradedSince !== undefined) this.#save();
    this.#isClosed = true;
    clearInterval(this.#retry);
    this.#attempt((file) => file.close());
    this.#file = undefined;
  }

  #flush(): void {
    this.#isFlushDue = false;
    const appends = this.#waiting.take();
    if (appends.length === 0) return;
    try {
      this.#number(appends);
    } catch (error) {
      for (const { done } of appends) done.reject(error);
    }
  }

  /** Gives numbers to what waits, and puts it into the file or, if that cannot be, into memory. */
  #number(appends: readonly WaitingAppend[]): void {
    const storedAt = this.#settings.now().getTime();
    const first = this.#lastSequence + 1;
    const entries: OutboxEntry[] = [];
    let next = first;
    for (const { drafts } of appends) {
      for (const { body, isExpendable = false } of drafts) {
        entries.push({ kind: 'item', sequence: next++, body, isExpendable, storedAt });
      }
    }
    if (this.#hasOpened && this.#hasRemovedMark && next - 1 - this.#lastSaved > MOST_UNSAVED) {
      throw new OutboxError('exhausted', 'the disk cannot be written, and too many numbers were given since');
    }
    this.#lastSequence = next - 1;
    if (this.#degradedSince !== undefined || !this.#write(entries)) this.#keep(entries);
    let number = first;
    for (const { drafts, done } of appends) done.resolve(drafts.map(() => number++));
  }

  #write(entries: readonly OutboxEntry[]): boolean {
    const { limits } = this.#settings;
    let dropped = 0;
    const isWritten = this.#attempt((file) => {
      dropped = file.write(entries, this.#lastSequence, limits);
    });
    if (isWritten) this.#lastSaved = this.#lastSequence;
    this.#tellDropped(dropped);
    return isWritten;
  }

  #keep(entries: readonly OutboxEntry[]): void {
    const all = [...this.#memory, ...entries];
    this.#memory = withinLimits(all, this.#settings.memoryLimits);
    this.#tellDropped(totalsOf(all).items - totalsOf(this.#memory).items);
  }

  #oldestAt(): number | undefined {
    let oldest: number | undefined;
    this.#attempt((file) => {
      oldest = file.oldestAfter(this.#acknowledged);
    });
    return oldest ?? this.#memory[0]?.storedAt;
  }

  #tellDropped(items: number): void {
    if (items > 0) this.#settings.onNotice({ kind: 'dropped', items });
  }

  *#entries(): Generator<OutboxEntry> {
    try {
      for (const entry of this.#file?.entriesAfter(this.#acknowledged) ?? []) {
        const { sequence } = entry;
        yield this.#refused.has(sequence) ? this.#gap('refused', sequence, sequence) : entry;
      }
    } catch (error) {
      this.#handle(error);
    }
    yield* this.#memory;
  }

  /** Brings everything that is in memory to the disk, or stays as it is. */
  #save(): void {
    try {
      if (!this.#hasOpened) this.#openFirst();
      const file = (this.#file ??= this.#place.open(this.#epoch));
      // First what is gone, then what is new: there must be no number between them that is missing.
      file.acknowledge(this.#acknowledged);
      this.#tellDropped(file.write(this.#memory, this.#lastSequence, this.#settings.limits));
      this.#memory = [];
      this.#lastSaved = this.#lastSequence;
      for (const [sequence, why] of this.#refused) file.setAside(sequence, why);
      this.#refused.clear();
      this.#place.markAllSaved();
      this.#hasRemovedMark = false;
      // Last of all: an epoch that only we know needs no mark.
      if (file.epoch !== this.#epoch) file.setEpoch(this.#epoch);
    } catch (error) {
      this.#handle(error);
      return;
    }
    this.#recovered();
  }

  #openFirst(): void {
    try {
      this.#begin(this.#place.open(this.#epoch));
    } catch (error) {
      if (sqliteTrouble(error) !== 'damaged') throw error;
      this.#moveAway(error);
      this.#begin(this.#place.open(this.#epoch));
    }
  }

  #begin(file: OutboxFile): void {
    try {
      const isLost = this.#wasDamaged && file.lastSequence === 0;
      const isUnsaved = !this.#place.isAllSaved() && !this.#hasRemovedMark;
      const loss = isLost ? 'damaged' : isUnsaved ? 'unsaved' : undefined;
      if (this.#lastSequence === 0) this.#adopt(file, loss);
      else this.#takeOver(file, loss);
    } catch (error) {
      file.discard();
      throw error;
    }
    this.#file = file;
    this.#hasOpened = true;
    this.#isGuarded = false;
  }

  /** Goes on where the last owner was. */
  #adopt(file: OutboxFile, loss: Loss | undefined): void {
    const [first] = file.entriesAfter(0);
    this.#epoch = file.epoch;
    this.#lastSequence = file.lastSequence;
    this.#lastSaved = file.lastSequence;
    this.#acknowledged = first === undefined ? file.lastSequence : firstOf(first) - 1;
    if (loss === undefined) return;
    // The last owner gave numbers that it could not write down: nobody knows how many of them were taken out.
    this.#lastSequence += loss === 'damaged' ? 1 : MOST_UNSAVED;
    this.#memory = [this.#gap(loss, this.#lastSaved + 1, this.#lastSequence)];
  }

  /** Goes on with the numbers that were given without the file: some may be on their way to somebody. */
  #takeOver(file: OutboxFile, reason: Loss | undefined): void {
    const loss = reason && { reason, storedAt: this.#settings.now().getTime() };
    const given = { epoch: this.#epoch, entries: this.#memory, lastSequence: this.#lastSequence, loss };
    this.#lastSequence = file.takeOver(given);
    this.#lastSaved = this.#lastSequence;
    this.#memory = [];
  }

  #recovered(): void {
    const wasDegraded = this.#degradedSince !== undefined;
    this.#degradedSince = undefined;
    clearInterval(this.#retry);
    this.#isGuarded = false;
    if (wasDegraded) this.#settings.onNotice({ kind: 'recovered' });
    this.#flush();
  }

  #attempt(change: (file: OutboxFile) => void): boolean {
    try {
      if (this.#file === undefined) return false;
      change(this.#file);
      return true;
    } catch (error) {
      this.#handle(error);
      return false;
    }
  }

  /** Gets over an error of the file: goes on in memory, or with another file. Anything else is thrown. */
  #handle(error: unknown): void {
    const trouble = sqliteTrouble(error);
    if (trouble === undefined) throw error;
    if (trouble === 'locked' && this.#degradedSince === undefined) {
      throw new OutboxError('locked', `${this.#place.path} is in use by another process`, { cause: error });
    }
    if (trouble === 'damaged' && this.#hasOpened) this.#giveUpFile(error);
    this.#degrade(error);
  }

  /** What was in the file is lost, and it is known which numbers that were. */
  #giveUpFile(error: unknown): void {
    this.#file?.discard();
    this.#file = undefined;
    this.#moveAway(error);
    // The disk may well take another file; not at once, lest a disk that damages everything keeps us here.
    setImmediate(() => this.#isClosed || this.#save());
    if (this.#lastSaved <= this.#acknowledged) return;
    this.#memory = [this.#gap('damaged', this.#acknowledged + 1, this.#lastSaved), ...this.#memory];
  }

  #moveAway(error: unknown): void {
    const movedTo = this.#place.moveAway(this.#settings.now());
    this.#wasDamaged = true;
    this.#settings.onNotice({ kind: 'damaged', error, movedTo });
  }

  #degrade(error: unknown): void {
    if (this.#isClosed) return;
    if (!this.#isGuarded) this.#guardNumbers();
    if (this.#degradedSince !== undefined) return;
    this.#degradedSince = this.#settings.now();
    this.#settings.onNotice({ kind: 'degraded', error });
    this.#retry = setInterval(() => this.#save(), this.#settings.retryMs).unref();
  }

  #guardNumbers(): void {
    this.#isGuarded = true;
    try {
      this.#hasRemovedMark ||= this.#place.removeMark();
      if (this.#hasRemovedMark) return;
    } catch {
      // The mark stays, and says that all numbers are saved.
    }
    // Nothing can be told to who comes after us, so the numbers that follow must not be numbers of the old epoch.
    this.#epoch = randomUUID();
  }

  #gap(reason: OutboxGap['reason'], firstSequence: number, sequence: number): OutboxGap {
    return { kind: 'gap', firstSequence, sequence, reason, storedAt: this.#settings.now().getTime() };
  }
}

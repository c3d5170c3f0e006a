import { printJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import {
  makeTable,
  metadataOf,
  printPartialObject,
  type IncludeObject,
  type TableSource,
} from '../table/make-table.ts';
import type { Transform } from './negotiate.ts';

/** An event as the registry tells it. */
export interface WatchSource {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: TableSource;
}

/** In which form a watcher gets its events. */
export interface WatchShape {
  readonly resource: Resource;
  readonly transform: Transform | undefined;
  readonly includeObject: IncludeObject;
}

const NEWLINE_END = '}\n';
const FRAME_END = Buffer.from(NEWLINE_END);
const FRAME_STARTS: Readonly<Record<WatchSource['type'], Buffer>> = {
  ADDED: frameStart('ADDED'),
  MODIFIED: frameStart('MODIFIED'),
  DELETED: frameStart('DELETED'),
  BOOKMARK: frameStart('BOOKMARK'),
};

function frameStart(type: WatchSource['type']): Buffer {
  return Buffer.from(`{"type":"${type}","object":`);
}

/** Writes events as lines of JSON. What many watchers get alike in one turn of the event loop is written once. */
export class WatchFrames {
  readonly #frames = new Map<WatchSource, Buffer>();
  #lastBatch: { readonly events: readonly WatchSource[]; readonly bytes: Buffer } | undefined;
  #isClearing = false;

  /** The lines of the events of one commit. */
  batch(events: readonly WatchSource[]): Buffer {
    const [only] = events;
    if (events.length === 1 && only !== undefined) return this.#frame(only);
    if (this.#lastBatch !== undefined && isSame(this.#lastBatch.events, events)) return this.#lastBatch.bytes;
    const bytes = Buffer.concat(events.map((event) => this.#frame(event)));
    this.#lastBatch = { events, bytes };
    return bytes;
  }

  #frame(event: WatchSource): Buffer {
    const known = this.#frames.get(event);
    if (known !== undefined) return known;
    const frame = plainFrame(event);
    this.#frames.set(event, frame);
    this.#clearSoon();
    return frame;
  }

  // All watchers hear of a commit in one go. After that the bytes are only in the sockets that still have to send them.
  #clearSoon(): void {
    if (this.#isClearing) return;
    this.#isClearing = true;
    setImmediate(() => {
      this.#isClearing = false;
      this.#frames.clear();
      this.#lastBatch = undefined;
    });
  }
}

function isSame(left: readonly WatchSource[], right: readonly WatchSource[]): boolean {
  return left.length === right.length && left.every((event, index) => event === right[index]);
}

/** The lines of events that only one watcher gets. */
export function plainFrames(events: readonly WatchSource[]): Buffer {
  let length = 0;
  for (const { type, object } of events) length += FRAME_STARTS[type].length + object.byteLength + FRAME_END.length;
  const bytes = Buffer.allocUnsafe(length);
  let position = 0;
  for (const event of events) position = writeFrame(event, bytes, position);
  return bytes;
}

function plainFrame(event: WatchSource): Buffer {
  return plainFrames([event]);
}

function writeFrame({ type, object }: WatchSource, target: Buffer, start: number): number {
  let position = start + FRAME_STARTS[type].copy(target, start);
  position += object.bytes.copy(target, position);
  return position + FRAME_END.copy(target, position);
}

/** Writes the events of one watcher that wants tables or metadata. */
export class TransformedFrames {
  readonly #shape: WatchShape;
  readonly #transform: Transform;
  readonly #now: () => Date;
  #hasSentHeaders = false;

  constructor(shape: WatchShape, transform: Transform, now: () => Date) {
    this.#shape = shape;
    this.#transform = transform;
    this.#now = now;
  }

  batch(events: readonly WatchSource[]): Buffer {
    return Buffer.from(
      events.map((event) => `{"type":"${event.type}","object":${this.#object(event)}${NEWLINE_END}`).join(''),
    );
  }

  #object(event: WatchSource): string {
    const metadata = metadataOf(event.object.value);
    if (this.#transform.kind !== 'Table') return printPartialObject(metadata, this.#transform.version);
    const hasHeaders = !this.#hasSentHeaders;
    this.#hasSentHeaders = true;
    const resourceVersion = metadata['resourceVersion'];
    const listMeta = typeof resourceVersion === 'string' ? { resourceVersion } : {};
    const { resource, includeObject } = this.#shape;
    const options = { version: this.#transform.version, includeObject, hasHeaders, now: this.#now() };
    return makeTable(resource, [event.object], listMeta, options);
  }
}

/** The line that tells a watcher what went wrong. */
export function errorFrame(status: JsonObject): Buffer {
  return Buffer.from(`{"type":"ERROR","object":${printJson(status)}${NEWLINE_END}`);
}

import { printJson, type JsonObject } from '@smalt/json';

import { expiredError } from '../errors/make-status-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseTimeoutSeconds } from '../http/list-options.ts';
import { JSON_TYPE } from '../http/negotiate.ts';
import { isTrue, type RequestInfo } from '../http/request-info.ts';
import { ChunkFraming, WatchStream } from '../http/watch-stream.ts';
import type { AuditChange, AuditRecord, AuditTrail } from './audit-trail.ts';

const LONGEST_SECONDS = 1_800;
const BOOKMARK_MS = 60_000;
const INITIAL_END = 'k8s.io/initial-events-end';

export interface AuditWatch {
  readonly trail: AuditTrail;
  readonly matches: (record: AuditRecord) => boolean;
  readonly print: (record: AuditRecord) => JsonObject;
  readonly apiVersion: string;
}

/** Tells of audit events as they come, until the client goes, falls behind or has waited long enough. */
export async function serveAuditWatch(watch: AuditWatch, exchange: Exchange, info: RequestInfo): Promise<void> {
  const { trail, matches } = watch;
  const initial = initialRecords(watch, info);
  const over = Promise.withResolvers<void>();
  const stream = WatchStream.open(exchange, JSON_TYPE, new ChunkFraming());
  const send = (frames: string): void => {
    if (frames !== '' && !stream.send(Buffer.from(frames))) over.resolve();
  };
  stream.sendInitial(Buffer.from(initialFrames(watch, initial, info)));
  const unsubscribe = trail.subscribe(({ added, dropped }: AuditChange) => {
    send(
      (dropped !== undefined && matches(dropped) ? frame('DELETED', watch.print(dropped)) : '') +
        (matches(added) ? frame('ADDED', watch.print(added)) : ''),
    );
  });
  const bookmarks = setInterval(() => send(frame('BOOKMARK', bookmark(watch, {}))), BOOKMARK_MS);
  const seconds = Math.min(parseTimeoutSeconds(info.query) ?? LONGEST_SECONDS, LONGEST_SECONDS);
  const timer = setTimeout(over.resolve, seconds * 1_000);
  exchange.signal.addEventListener('abort', () => over.resolve(), { once: true });
  if (exchange.signal.aborted) over.resolve();
  await over.promise;
  clearTimeout(timer);
  clearInterval(bookmarks);
  unsubscribe();
  stream.end();
}

/** What is told before what comes: all that is kept, or what came after the version that the client knows. */
function initialRecords({ trail, matches }: AuditWatch, { query }: RequestInfo): readonly AuditRecord[] {
  const records = trail.records();
  const known = Number(query.get('resourceVersion') ?? '0');
  if (isTrue(query.get('sendInitialEvents')) || known === 0) return records.filter(matches);
  // What was dropped since then cannot be told any more, and an earlier server had other numbers.
  if (!Number.isSafeInteger(known) || known < trail.droppedUpTo || known > trail.number) {
    throw expiredError(`too old resource version: ${query.get('resourceVersion') ?? ''} (${trail.number})`);
  }
  return records.filter((record) => record.number > known && matches(record));
}

function initialFrames(watch: AuditWatch, records: readonly AuditRecord[], { query }: RequestInfo): string {
  const frames = records.map((record) => frame('ADDED', watch.print(record)));
  const isList = isTrue(query.get('sendInitialEvents'));
  if (isList) frames.push(frame('BOOKMARK', bookmark(watch, { [INITIAL_END]: 'true' })));
  return frames.join('');
}

function bookmark({ trail, apiVersion }: AuditWatch, annotations: JsonObject): JsonObject {
  const metadata = { name: '', resourceVersion: String(trail.number), annotations };
  return { kind: 'Event', apiVersion, metadata };
}

function frame(type: 'ADDED' | 'DELETED' | 'BOOKMARK', object: JsonObject): string {
  return `${printJson({ type, object })}\n`;
}

import type { Resource } from '@smalt/resource';

import { StatusError } from '../errors/status-error.ts';
import type { ObjectEvent } from '../registry/object-events.ts';
import type { EventSink, WatchOptions, WatchSubscription } from '../registry/watch-objects.ts';
import type { Exchange } from './exchange.ts';
import { parseTimeoutSeconds, parseWatchOptions } from './list-options.ts';
import { JSON_TYPE, type MediaChoice } from './negotiate.ts';
import type { RequestInfo } from './request-info.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { parseIncludeObject } from './respond.ts';
import { errorFrame, plainFrames, TransformedFrames, type WatchFrames } from './watch-frames.ts';
import { WatchStream, type ChunkFraming } from './watch-stream.ts';

const MIN_TIMEOUT_MS = 30 * 60_000;
const BOOKMARK_MS = 60_000;

/** What watches are served with; the frames and chunks are shared by all of them. */
export interface WatchServing {
  readonly watch: (resource: Resource, options: WatchOptions, sink: EventSink) => Promise<WatchSubscription>;
  readonly frames: WatchFrames;
  readonly framing: ChunkFraming;
  readonly metrics: RequestMetrics;
  readonly now: () => Date;
  readonly random: () => number;
}

export interface WatchCall {
  readonly exchange: Exchange;
  readonly info: RequestInfo;
  readonly resource: Resource;
  readonly choice: MediaChoice;
}

type Encode = (events: readonly ObjectEvent[]) => Buffer;

/** Serves a watch until it times out, the client goes away or falls behind, or the server stops. */
export async function serveWatch(deps: WatchServing, call: WatchCall): Promise<void> {
  const { exchange, info } = call;
  const options = parseWatchOptions(info);
  const timeoutMs = watchTimeoutMs(deps, info);
  const encode = encoderFor(deps, call);
  const over = Promise.withResolvers<void>();
  const early: ObjectEvent[] = [];
  const open: { stream?: WatchStream } = {};
  const sink: EventSink = (events) => {
    if (open.stream === undefined) early.push(...events);
    else if (open.stream.send(encode(events))) deps.metrics.countWatchEvents(info, events);
    else {
      deps.metrics.watcherWasTooSlow();
      over.resolve();
    }
  };
  const subscription = await subscribe(deps, call, options, sink);
  if (subscription === undefined) return;
  const stream = WatchStream.open(exchange, JSON_TYPE, deps.framing);
  open.stream = stream;
  deps.metrics.watchOpened();
  const initial = [...subscription.initial, ...early];
  if (initial.length > 0) {
    stream.sendInitial(call.choice.transform === undefined ? plainFrames(initial) : encode(initial));
    deps.metrics.countWatchEvents(info, initial);
  }
  const bookmarks =
    options.allowBookmarks === true ? setInterval(() => sink([subscription.bookmark()]), BOOKMARK_MS) : undefined;
  const timer = setTimeout(over.resolve, timeoutMs);
  exchange.signal.addEventListener('abort', () => over.resolve(), { once: true });
  if (exchange.signal.aborted) over.resolve();
  await over.promise;
  clearTimeout(timer);
  clearInterval(bookmarks);
  subscription.close();
  deps.metrics.watchClosed();
  stream.end();
}

// A watch that starts too far in the past is answered with 200 and an event: that is how clients know to list again.
async function subscribe(
  deps: WatchServing,
  call: WatchCall,
  options: WatchOptions,
  sink: EventSink,
): Promise<WatchSubscription | undefined> {
  try {
    return await deps.watch(call.resource, options, sink);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 410) throw error;
    const stream = WatchStream.open(call.exchange, JSON_TYPE, deps.framing);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Status is JSON through and through
    stream.sendInitial(errorFrame(error.status as unknown as Parameters<typeof errorFrame>[0]));
    stream.end();
    return undefined;
  }
}

function watchTimeoutMs(deps: WatchServing, info: RequestInfo): number {
  const asked = parseTimeoutSeconds(info.query);
  // Spread out, so that the watches of a fleet do not all end in the same moment.
  const chosen = asked === undefined ? MIN_TIMEOUT_MS * (1 + deps.random()) : asked * 1000;
  return Math.min(chosen, 2 ** 31 - 1);
}

function encoderFor(deps: WatchServing, call: WatchCall): Encode {
  const { transform } = call.choice;
  if (transform === undefined) return (events) => deps.frames.batch(events);
  const includeObject = parseIncludeObject(call.info.query);
  const frames = new TransformedFrames({ resource: call.resource, transform, includeObject }, transform, deps.now);
  return (events) => frames.batch(events);
}

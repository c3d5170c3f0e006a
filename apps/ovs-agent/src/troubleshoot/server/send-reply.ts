import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import type { Reply } from './call.ts';

/** How a call ended, in trailers and in the audit. */
export type ReplyEnd = Readonly<Record<string, string>>;

/** Sends a reply as fast as it is taken, and gives what a stream said at its end. */
export async function sendReply(response: ServerResponse, reply: Reply, signal: AbortSignal): Promise<ReplyEnd> {
  switch (reply.kind) {
    case 'json':
      response.setHeader('content-type', 'application/json');
      response.end(`${printLargeJson(reply.value)}\n`);
      return {};
    case 'text':
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(reply.text);
      return {};
    case 'stream':
      return await sendStream(response, reply, reply.until ?? signal);
  }
}

async function sendStream(
  response: ServerResponse,
  { type, headers = {}, chunks }: Reply & { kind: 'stream' },
  signal: AbortSignal,
): Promise<ReplyEnd> {
  response.setHeader('content-type', type);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  try {
    // The first part may fail, and can still be answered with what is wrong.
    let next = await chunks.next();
    response.flushHeaders();
    for (; next.done !== true; next = await chunks.next()) {
      if (!response.write(next.value)) await once(response, 'drain', { signal });
    }
    response.addTrailers(next.value);
    response.end();
    return next.value;
  } finally {
    await chunks.return({});
  }
}

/** Integers beyond 2^53 as they are, maps as objects, sets as lists. */
export function printLargeJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Map) return Object.fromEntries(each);
    if (each instanceof Set) return [...each];
    // A counter that a number holds is a number; what is larger would be cut off by those who read it.
    if (typeof each === 'bigint') return Number.isSafeInteger(Number(each)) ? Number(each) : each.toString();
    return each;
  });
}

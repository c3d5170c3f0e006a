import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { HaServiceError } from '../../ha-service-error.ts';
import type { ApiContext } from '../api-context.ts';
import type { ApiServer } from '../api-server.ts';
import { HostName } from '../host-name.ts';
import { answererOf } from '../leader/pass-on.ts';
import { timeOf } from '../shown-time.ts';
import { ChangeFeed, type FleetChanges } from './change-feed.ts';

/** Something is said so often, so that who listens knows that nothing has changed. */
const BEAT_MS = 15_000;
const MOST_READERS = 200;

/** What changes, as it does, and what was thought of a host over time. */
export function addChangeRoutes(server: ApiServer, context: ApiContext, signal: AbortSignal): void {
  const feed = new ChangeFeed(context);
  let readers = 0;
  const summary =
    'Hosts, incidents, the journal and the status as server-sent events: all there is, and then every change';
  const description =
    'Each event is {"isReset", "isComplete"?, "put": [objects], "gone": ["namespace/name"]}. Objects have kind Host, Incident, ' +
    'JournalEntry or Status and metadata.namespace hosts, incidents, journal or status. The newest 200 incidents and 500 lines are told.';
  server.get(
    '/api/v1/changes',
    { schema: { tags: ['service'], summary, description, produces: ['text/event-stream'] } },
    async (request, reply) => {
      if (readers >= MOST_READERS) {
        throw new HaServiceError('too-many-requests', `${MOST_READERS} others listen already: try again later`);
      }
      readers++;
      try {
        await stream(context, feed, { request, reply }, signal);
      } finally {
        readers--;
      }
    },
  );
  addHistoryRoute(server, context);
}

function addHistoryRoute(server: ApiServer, { history, replica }: ApiContext): void {
  const summary = 'How a host was judged in the last 24 hours, signal by signal; of the leader alone';
  const params = Type.Object({ host: HostName });
  server.get(
    '/api/v1/hosts/:host/history',
    { schema: { tags: ['hosts'], summary, params } },
    ({ params: { host } }) => {
      const past = history.of(host);
      const { isLeading, knownHosts } = replica();
      if (past === undefined && !knownHosts.includes(host)) {
        throw new HaServiceError('not-found', `there is no host ${host}: GET /api/v1/hosts lists them`);
      }
      return {
        host,
        isJudgedHere: isLeading,
        since: timeOf(history.since),
        judgements: shown(past?.judgements ?? []),
        signals: Array.from(past?.signals ?? [], ([source, changes]) => ({ source, changes: shown(changes) })),
      };
    },
  );
}

function shown(changes: readonly { readonly at: number; readonly state: string }[]): readonly object[] {
  return changes.map(({ at, state }) => ({ at: timeOf(at), state }));
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function stream(
  context: ApiContext,
  feed: ChangeFeed,
  { request, reply }: Exchange,
  signal: AbortSignal,
): Promise<void> {
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  reply.hijack();
  const { raw } = reply;
  const over = new AbortController();
  raw.once('close', () => over.abort(new Error('the reader has gone')));
  const until = AbortSignal.any([signal, over.signal]);
  // Who listens asks again, and hears the one that leads by then.
  using _news = context.news.listen(() => {
    if (answererOf(context, request).kind !== 'here') over.abort(new Error('another replica leads'));
  });
  raw.writeHead(200, { ...Object.fromEntries(headers), 'content-type': 'text/event-stream' });
  raw.flushHeaders();
  // Answers have to be sent within a time; this one has no end.
  raw.socket?.setTimeout(0);
  const beating = beat(context, request, raw, until).finally(() => over.abort(new Error('it is over')));
  try {
    for await (const changes of feed.changes(until)) await write(raw, eventOf(changes), until);
  } catch (error) {
    if (!until.aborted) throw error;
  } finally {
    over.abort(new Error('it is over'));
    await beating;
    raw.end();
  }
}

/** Says something now and then, and ends with the right of who listens, or once another replica is to answer. */
async function beat(
  context: ApiContext,
  request: FastifyRequest,
  raw: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { clock, authenticator, ignore } = context;
  while (!signal.aborted) {
    await clock.wait(BEAT_MS, signal).catch(() => undefined);
    if (signal.aborted || answererOf(context, request).kind !== 'here') return;
    try {
      await authenticator.authenticate(request.raw, signal);
    } catch (error) {
      const isRefused =
        error instanceof HaServiceError && (error.code === 'unauthorized' || error.code === 'forbidden');
      if (isRefused) return;
      ignore(error, 'who listens is asked about again later');
    }
    if (raw.writableLength === 0) raw.write(': all is as it was\n\n');
  }
}

async function write(raw: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (!raw.write(text)) await once(raw, 'drain', { signal });
}

function eventOf({ isReset, put, gone }: FleetChanges): string {
  const end = isReset ? ',"isComplete":true' : '';
  return `data: {"isReset":${isReset},"put":[${put.join(',')}],"gone":${JSON.stringify(gone)}${end}}\n\n`;
}

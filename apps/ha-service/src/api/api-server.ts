import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

import type { JournalEntry } from '../ports/incident-store.ts';
import type { ApiContext } from './api-context.ts';
import type { Caller } from './caller.ts';

/** The framework with our types. */
export type ApiServer = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set before a route runs. */
    caller: Caller;
    /** Fires when the request has taken too long, or the service stops. */
    until: AbortSignal;
  }
}

/** Writes down what a person does, before it is done: what cannot be written down is not done. */
export async function audit(
  { store, clock }: ApiContext,
  { caller, until }: FastifyRequest,
  what: Pick<JournalEntry, 'message'> & Partial<Pick<JournalEntry, 'host' | 'incidentId' | 'severity'>>,
): Promise<void> {
  const entry = { host: undefined, incidentId: undefined, severity: 'info' as const, ...what };
  await store.journal.append(
    [{ ...entry, at: clock.now(), kind: 'person', instanceId: undefined, by: caller.name }],
    until,
  );
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

import type { JournalEntry } from '../ports/incident-store.ts';
import type { ApiContext } from './api-context.ts';
import { callerName, type Caller } from './caller.ts';

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
export async function audit(context: ApiContext, request: FastifyRequest, what: Audited): Promise<void> {
  await context.store.journal.append([auditEntry(context, request, what)], request.until);
}

type Audited = Pick<JournalEntry, 'message'> & Partial<Pick<JournalEntry, 'host' | 'incidentId' | 'severity'>>;

/** What is written down of what a person does. */
export function auditEntry({ clock }: ApiContext, { caller }: FastifyRequest, what: Audited): JournalEntry {
  const entry = { host: undefined, incidentId: undefined, severity: 'info' as const, ...what };
  return { ...entry, at: clock.now(), kind: 'person', instanceId: undefined, by: callerName(caller) };
}

import { IncidentState, type Incident } from '@smalt/failure-detection';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { HaServiceError } from '../ha-service-error.ts';
import type { StoredDecision } from '../ports/incident-store.ts';
import type { ApiContext } from './api-context.ts';
import type { ApiServer } from './api-server.ts';
import { callerName } from './caller.ts';
import { checkClose, checkConfirmation, checkRelease } from './check-decision.ts';
import { decisionView, incidentView, journalView } from './incident-view.ts';

const Id = Type.String({ minLength: 1, maxLength: 100 });
const Note = Type.String({ minLength: 1, maxLength: 1_000, description: 'why, for the journal' });
const Params = Type.Object({ id: Id });
const States = Object.values(IncidentState);
const ListQuery = Type.Object({
  state: Type.Optional(Type.Array(Type.Enum(States), { description: 'only these states; may be given several times' })),
  host: Type.Optional(Type.String({ maxLength: 253 })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  before: Type.Optional(Id),
});
const Confirmation = Type.Object(
  {
    host: Type.String({ description: 'the name of the host, typed once more' }),
    incidentId: Type.String({ description: 'the id of the incident, typed once more' }),
    note: Note,
  },
  { additionalProperties: false },
);
const NoteBody = Type.Object({ note: Note }, { additionalProperties: false });
const JOURNAL_LINES = 500;

/** Incidents, and what persons say about them. */
export function addIncidentRoutes(server: ApiServer, context: ApiContext): void {
  const { store } = context;
  const tags = ['incidents'];
  server.get(
    '/api/v1/incidents',
    { schema: { tags, summary: 'Incidents, the newest first', querystring: ListQuery } },
    async ({ query, until }) => {
      const { state, host, limit, before } = query;
      const filter = {
        limit,
        ...(state === undefined ? {} : { states: state }),
        ...(host === undefined ? {} : { host }),
        ...(before === undefined ? {} : { before }),
      };
      return { items: (await store.incidents.list(filter, until)).map(incidentView) };
    },
  );
  server.get(
    '/api/v1/incidents/:id',
    { schema: { tags, summary: 'One incident with its journal', params: Params } },
    async ({ params, until }) => {
      const incident = await find(context, params.id, until);
      const [journal, decisions] = await Promise.all([
        store.journal.list(undefined, { incidentId: incident.id, limit: JOURNAL_LINES }, until),
        store.incidents.decisions(incident.id, until),
      ]);
      return { ...incidentView(incident), journal: journal.map(journalView), decisions: decisions.map(decisionView) };
    },
  );
  addDecisionRoutes(server, context, tags);
}

function addDecisionRoutes(server: ApiServer, context: ApiContext, tags: string[]): void {
  const summary = 'Confirms that the host of an incident is off: a person has seen it, and answers for it';
  server.post(
    '/api/v1/incidents/:id/confirm-off',
    { schema: { tags, summary, params: Params, body: Confirmation } },
    async (request) => {
      const incident = await find(context, request.params.id, request.until);
      checkConfirmation(incident, request.body);
      return await decide(context, request, incident, { kind: 'host-is-off', note: request.body.note });
    },
  );
  server.post(
    '/api/v1/incidents/:id/close',
    { schema: { tags, summary: 'Ends an incident as it is', params: Params, body: NoteBody } },
    async (request) => {
      const incident = await find(context, request.params.id, request.until);
      checkClose(incident, request.body.note);
      return await decide(context, request, incident, { kind: 'close', note: request.body.note });
    },
  );
  server.post(
    '/api/v1/incidents/:id/release',
    { schema: { tags, summary: 'Lets the host of an incident that is over return', params: Params, body: NoteBody } },
    async (request) => {
      const incident = await find(context, request.params.id, request.until);
      const hosts = await context.store.hosts.list(request.until);
      checkRelease(
        incident,
        hosts.find(({ name }) => name === incident.host),
        request.body.note,
      );
      return await decide(context, request, incident, { kind: 'release', note: request.body.note });
    },
  );
}

async function find({ store }: ApiContext, id: string, signal: AbortSignal): Promise<Incident> {
  const incident = await store.incidents.get(id, signal);
  if (incident !== undefined) return incident;
  throw new HaServiceError('not-found', `there is no incident ${id}: GET /api/v1/incidents lists them`);
}

async function decide(
  context: ApiContext,
  request: FastifyRequest,
  { id, host }: Incident,
  { kind, note }: Pick<StoredDecision, 'kind' | 'note'>,
): Promise<Readonly<Record<string, unknown>>> {
  const word = { kind, host, incidentId: id, by: callerName(request.caller), note };
  // The line for the audit is stored with it.
  const decision = await context.store.incidents.addDecision(word, request.until);
  return { incidentId: id, host, ...decisionView(decision) };
}

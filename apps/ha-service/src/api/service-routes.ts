import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { JournalKind } from '../ports/incident-store.ts';
import type { ServiceSwitches } from '../ports/ha-store.ts';
import type { ApiContext } from './api-context.ts';
import { auditEntry, type ApiServer } from './api-server.ts';
import { callerName } from './caller.ts';
import { checkNote } from './check-decision.ts';
import { journalView } from './incident-view.ts';
import { rulesView } from './rules-view.ts';
import { timeOf } from './shown-time.ts';
import { vmoveView } from './vmove-view.ts';

const NoteBody = Type.Object(
  { note: Type.String({ minLength: 1, maxLength: 1_000 }) },
  { additionalProperties: false },
);
const DryRunBody = Type.Object(
  { enabled: Type.Boolean(), note: Type.String({ minLength: 1, maxLength: 1_000 }) },
  { additionalProperties: false },
);
const Limit = Type.Integer({ minimum: 1, maximum: 1_000, default: 100 });
const VmoveQuery = Type.Object({
  incident: Type.Optional(Type.String({ maxLength: 100 })),
  host: Type.Optional(Type.String({ maxLength: 253 })),
  instance: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Limit,
});
const JournalQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 100, description: 'the id of the last entry that was read' })),
  host: Type.Optional(Type.String({ maxLength: 253 })),
  incident: Type.Optional(Type.String({ maxLength: 100 })),
  kind: Type.Optional(Type.Array(Type.Enum(Object.values(JournalKind)))),
  limit: Limit,
});

/** The service itself: its rules, switches, sources, journal, and the instances that it rebuilt. */
export function addServiceRoutes(server: ApiServer, context: ApiContext): void {
  const tags = ['service'];
  server.get(
    '/api/v1/status',
    { schema: { tags, summary: 'This replica, and what persons have switched' } },
    (request) => status(context, request),
  );
  server.get('/api/v1/rules', { schema: { tags, summary: 'The settings as they are in effect' } }, () => {
    const { settingsTrouble, waitsForRestart } = context.replica();
    return { settings: rulesView(context.settings()), trouble: settingsTrouble ?? null, waitsForRestart };
  });
  server.get('/api/v1/sources', { schema: { tags, summary: 'Where signals come from, and whether they do' } }, () => {
    const { isLeading, sources } = context.replica();
    const items = sources.map(({ reachableSince, ...source }) => ({
      ...source,
      reachableSince: timeOf(reachableSince),
    }));
    return { isJudgedHere: isLeading, items };
  });
  addRecordRoutes(server, context);
  addSwitchRoutes(server, context, tags);
}

function addRecordRoutes(server: ApiServer, { store }: ApiContext): void {
  const tags = ['records'];
  server.get(
    '/api/v1/vmoves',
    { schema: { tags, summary: 'What became of each instance, the newest incidents first', querystring: VmoveQuery } },
    async ({ query: { incident, host, instance, limit }, until }) => {
      const filter = {
        limit,
        ...(incident === undefined ? {} : { incidentId: incident }),
        ...(host === undefined ? {} : { host }),
        ...(instance === undefined ? {} : { instanceId: instance }),
      };
      return { items: (await store.rebuilds(filter, until)).map(vmoveView) };
    },
  );
  server.get(
    '/api/v1/journal',
    { schema: { tags, summary: 'The newest entries, or those after one that was read', querystring: JournalQuery } },
    async ({ query: { after, host, incident, kind, limit }, until }) => {
      const filter = {
        limit,
        ...(incident === undefined ? {} : { incidentId: incident }),
        ...(host === undefined ? {} : { host }),
        ...(kind === undefined ? {} : { kinds: kind }),
      };
      return { items: (await store.journal.list(after, filter, until)).map(journalView) };
    },
  );
}

function addSwitchRoutes(server: ApiServer, context: ApiContext, tags: string[]): void {
  const pauseSchema = { tags, summary: 'Stops all action: nothing is fenced or rebuilt until it is resumed' };
  server.post('/api/v1/pause', { schema: { ...pauseSchema, body: NoteBody } }, (request) =>
    flip(context, request, { change: { isPaused: true }, what: 'paused high availability', note: request.body.note }),
  );
  const resumeSchema = { tags, summary: 'Lets it act again' };
  server.post('/api/v1/resume', { schema: { ...resumeSchema, body: NoteBody } }, (request) =>
    flip(context, request, { change: { isPaused: false }, what: 'resumed high availability', note: request.body.note }),
  );
  const drySchema = { tags, summary: 'Begins or ends a dry run, in which it only tells what it would do' };
  server.post('/api/v1/dry-run', { schema: { ...drySchema, body: DryRunBody } }, (request) => {
    const { enabled, note } = request.body;
    return flip(context, request, {
      change: { isDryRun: enabled },
      what: enabled ? 'began a dry run' : 'ended the dry run',
      note,
    });
  });
}

interface Flip {
  readonly change: Partial<ServiceSwitches>;
  readonly what: string;
  readonly note: string;
}

async function flip(
  context: ApiContext,
  request: FastifyRequest,
  { change, what, note }: Flip,
): Promise<Readonly<Record<string, unknown>>> {
  checkNote(note);
  const message = `${callerName(request.caller)} ${what}: ${note}`;
  const entry = auditEntry(context, request, { severity: 'warning', message });
  await context.store.setSwitches(change, entry, request.until);
  return await status(context, request);
}

async function status(
  { store, replica, settings }: ApiContext,
  { until, caller }: FastifyRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const switches = await store.switches(until);
  const { version, identity, isLeading, leader, settingsTrouble, waitsForRestart } = replica();
  const { brakes } = settings().detection;
  return {
    version,
    identity,
    isLeading,
    leader: leader === undefined ? null : { identity: leader.identity, url: leader.url ?? null },
    // The file and a person may each ask for it; both have to let go.
    isPaused: switches.isPaused || brakes.isPaused,
    isDryRun: switches.isDryRun || brakes.isDryRun,
    settingsTrouble: settingsTrouble ?? null,
    waitsForRestart,
    you: caller,
  };
}

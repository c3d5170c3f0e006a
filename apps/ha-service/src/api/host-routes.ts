import { isOver } from '@smalt/failure-detection';
import { Type } from 'typebox';

import { HaServiceError } from '../ha-service-error.ts';
import { OPEN_STATES } from '../ports/open-states.ts';
import type { ApiContext } from './api-context.ts';
import { audit, type ApiServer } from './api-server.ts';
import { callerName } from './caller.ts';
import { HostName } from './host-name.ts';
import { hostView, type HostFacts } from './host-view.ts';

const Params = Type.Object({ host: HostName });
const Switch = Type.Object({ enabled: Type.Boolean() });
const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 500 }),
  after: Type.Optional(Type.String({ maxLength: 253, description: 'only hosts whose names come after this one' })),
  judgement: Type.Optional(Type.Enum(['alive', 'suspect', 'condemned', 'unknown'])),
});
const OPEN_INCIDENTS = 500;

/** Hosts, and the switch by which operators put them under the watch of high availability. */
export function addHostRoutes(server: ApiServer, context: ApiContext): void {
  const tags = ['hosts'];
  server.get(
    '/api/v1/hosts',
    { schema: { tags, summary: 'Hosts by name, with what is thought of them', querystring: ListQuery } },
    async ({ query, until }) => {
      const facts = [...(await gather(context, until)).values()]
        .filter(({ name }) => query.after === undefined || name > query.after)
        .filter(({ opinion }) => query.judgement === undefined || opinion?.judgement.kind === query.judgement)
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
      return { isJudgedHere: context.replica().isLeading, items: facts.slice(0, query.limit).map(hostView) };
    },
  );
  server.get(
    '/api/v1/hosts/:host',
    { schema: { tags, summary: 'One host', params: Params } },
    async ({ params, until }) => {
      const facts = await gatherOne(context, params.host, until);
      if (facts !== undefined) return hostView(facts);
      throw new HaServiceError('not-found', `there is no host ${params.host}: GET /api/v1/hosts lists them`);
    },
  );
  addSwitchRoute(server, context, tags);
}

function addSwitchRoute(server: ApiServer, context: ApiContext, tags: string[]): void {
  const summary = 'Puts a host under the watch of high availability, or takes it out';
  server.post(
    '/api/hypervisors/:host',
    { schema: { tags, summary, params: Params, body: Switch } },
    async (request) => {
      const { host } = request.params;
      const { enabled } = request.body;
      const { store } = context;
      const isKnown = async (): Promise<boolean> =>
        context.replica().knownHosts.includes(host) ||
        (await store.hosts.list(request.until)).some(({ name }) => name === host);
      // Who switches off a host that nobody knows has what they want, and takes this answer for it.
      if (!enabled && !(await isKnown())) {
        throw new HaServiceError('not-found', `there is no host ${host}: nothing is to be switched off`);
      }
      const message = `${callerName(request.caller)} switched high availability ${enabled ? 'on' : 'off'} for ${host}`;
      await audit(context, request, { host, message, severity: enabled ? 'info' : 'warning' });
      await store.hosts.switch(host, enabled, request.until);
      return { host, enabled };
    },
  );
}

/** What is known of one host, without a look at the signals of all others; undefined when nobody knows it. */
async function gatherOne(
  { store, replica }: ApiContext,
  host: string,
  signal: AbortSignal,
): Promise<HostFacts | undefined> {
  const [records, { signals, report }, [incident]] = await Promise.all([
    store.hosts.list(signal),
    store.signalsOf(host, signal),
    store.incidents.list({ host, states: OPEN_STATES, limit: 1 }, signal),
  ]);
  const state = replica();
  const record = records.find(({ name }) => name === host);
  const isKnown =
    record !== undefined || signals.length > 0 || incident !== undefined || state.knownHosts.includes(host);
  if (!isKnown) return undefined;
  return { name: host, record, signals, report, opinion: state.opinionOf(host), openIncident: incident?.id };
}

/** Everything that the store and this replica know, by host. */
async function gather({ store, replica }: ApiContext, signal: AbortSignal): Promise<ReadonlyMap<string, HostFacts>> {
  const [records, changes, incidents] = await Promise.all([
    store.hosts.list(signal),
    store.signals.changes(undefined, signal),
    store.incidents.list({ states: OPEN_STATES, limit: OPEN_INCIDENTS }, signal),
  ]);
  const state = replica();
  const byHost = Map.groupBy(changes.signals, ({ host }) => host);
  const reports = new Map(changes.reports.map((report) => [report.host, report]));
  const recordOf = new Map(records.map((record) => [record.name, record]));
  const open = new Map(incidents.filter((incident) => !isOver(incident)).map(({ host, id }) => [host, id]));
  const names = new Set([...state.knownHosts, ...recordOf.keys(), ...byHost.keys(), ...open.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      {
        name,
        record: recordOf.get(name),
        signals: byHost.get(name) ?? [],
        report: reports.get(name),
        opinion: state.opinionOf(name),
        openIncident: open.get(name),
      },
    ]),
  );
}

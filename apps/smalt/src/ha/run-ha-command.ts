import { isJsonObject, type JsonObject } from '@smalt/json';
import { isKubeError, type KubeClient } from '@smalt/kube';

import type { OutputFormat } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { listText, type Listing } from '../output/print-list.ts';
import { SmaltError } from '../smalt-error.ts';
import { hostsListing, incidentListing, incidentsListing, objectsIn, statusListing } from './ha-views.ts';
import { listIncidents, listOpenIncidents, type AskHighAvailability } from './list-incidents.ts';
import { openHighAvailability, type HighAvailabilityFlags } from './open-high-availability.ts';

export interface HaFlags extends HighAvailabilityFlags {
  readonly output: OutputFormat;
  readonly note?: string;
  readonly host?: string;
  readonly open?: boolean;
}

const NEWEST = 100;

/** Prints how the HA service is. */
export async function runHaStatus(program: CommandProgram, flags: HaFlags): Promise<void> {
  await show(program, flags, async (ask) => {
    const [status, sources, hosts] = await Promise.all([
      ask('/api/v1/status'),
      ask('/api/v1/sources'),
      ask('/api/v1/hosts?limit=10000'),
    ]);
    return statusListing(status, objectsIn(sources, 'items'), objectsIn(hosts, 'items'));
  });
}

export async function runHaHosts(program: CommandProgram, flags: HaFlags): Promise<void> {
  await show(program, flags, async (ask) => hostsListing(objectsIn(await ask('/api/v1/hosts?limit=10000'), 'items')));
}

/** Prints incidents, or one with all that happened. */
export async function runHaIncidents(program: CommandProgram, id: string | undefined, flags: HaFlags): Promise<void> {
  await show(program, flags, async (ask) => {
    if (id !== undefined) return incidentListing(await ask(`/api/v1/incidents/${encodeURIComponent(id)}`));
    const { open = false, host } = flags;
    const incidents = open ? await listOpenIncidents(ask, host) : await listIncidents(ask, NEWEST, host);
    return incidentsListing(incidents, program.now(), open ? 'No incident is open.' : 'There was no incident.');
  });
}

/** What a person tells the service. */
export type HaWord =
  | { readonly kind: 'pause' | 'resume' }
  | { readonly kind: 'dry-run'; readonly enabled: boolean }
  | { readonly kind: 'confirm-off'; readonly incident: string; readonly host: string }
  | { readonly kind: 'close' | 'release'; readonly incident: string };

/** Tells the service something, with a note for its journal. */
export async function runHaWord(program: CommandProgram, word: HaWord, flags: HaFlags): Promise<void> {
  const { note = '' } = flags;
  if (note.trim() === '') throw new SmaltError('wrong-use', '--note: say why in a few words: it goes into the journal');
  await using service = await openHighAvailability(program, flags);
  const { path, body, said } = orderOf(word, note);
  const answer = await request(service, { method: 'POST', path, body: JSON.stringify(body) }, program.signal);
  if (flags.output === 'table') return await program.output.write(`${said}\n`);
  await program.output.write(await listText({ columns: [], rows: [], empty: '', value: answer }, flags.output));
}

function orderOf(word: HaWord, note: string): { readonly path: string; readonly body: object; readonly said: string } {
  const root = '/api/v1';
  switch (word.kind) {
    case 'pause':
      return {
        path: `${root}/pause`,
        body: { note },
        said: 'high availability is paused: no host is fenced, nothing is rebuilt',
      };
    case 'resume':
      return { path: `${root}/resume`, body: { note }, said: 'high availability acts again' };
    case 'dry-run': {
      const { enabled } = word;
      const said = enabled ? 'from now on it only tells what it would do' : 'from now on it acts again';
      return { path: `${root}/dry-run`, body: { enabled, note }, said };
    }
    case 'confirm-off': {
      const { incident: incidentId, host } = word;
      const path = `${root}/incidents/${encodeURIComponent(incidentId)}/confirm-off`;
      return { path, body: { host, incidentId, note }, said: `${host} counts as off: its machines will be rebuilt` };
    }
    case 'close':
    case 'release': {
      const path = `${root}/incidents/${encodeURIComponent(word.incident)}/${word.kind}`;
      const said = word.kind === 'close' ? 'the incident is closed as it is' : 'its host may return';
      return { path, body: { note }, said };
    }
  }
}

async function show(
  program: CommandProgram,
  flags: HaFlags,
  make: (ask: AskHighAvailability) => Promise<Listing>,
): Promise<void> {
  await using service = await openHighAvailability(program, flags);
  const ask: AskHighAvailability = (path) => request(service, { method: 'GET', path }, program.signal);
  await program.output.write(await listText(await make(ask), flags.output));
}

async function request(
  service: KubeClient,
  { method, path, body }: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string },
  signal: AbortSignal,
): Promise<JsonObject> {
  const [place = '', query = ''] = path.split('?');
  try {
    const answer = await service.request({ method, path: place, query: new URLSearchParams(query), body, signal });
    if (isJsonObject(answer)) return answer;
  } catch (error) {
    if (!isKubeError(error, 'forbidden', 'unauthorized')) throw error;
    const next = 'ask for the ClusterRole smalt-ha-viewer or smalt-ha-operator';
    throw new SmaltError('refused', `the HA service does not let you: ${error.message}\n${next}`, { cause: error });
  }
  throw new SmaltError('failed', `the HA service answers ${place} with something else than it should`);
}

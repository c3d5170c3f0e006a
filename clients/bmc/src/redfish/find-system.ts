import type { JsonObject } from '@smalt/json';

import { BmcError } from '../bmc-error.ts';
import type { RedfishConnection } from './redfish-connection.ts';
import { linkAt, objectsAt, textAt } from './redfish-document.ts';

const MOST_PAGES = 100;

export interface SystemChoice {
  readonly systemPath?: string;
  readonly systemUuid?: string;
}

export interface FoundSystem {
  readonly path: string;
  readonly document: JsonObject;
}

/**
 * The system that is the host: the one at the path, the one with the UUID, or the only one there is. Whatever is not
 * certain is `no-such-system`, lest somebody else's host is switched off.
 */
export async function findSystem(
  connection: RedfishConnection,
  root: JsonObject,
  choice: SystemChoice,
  signal: AbortSignal,
): Promise<FoundSystem> {
  const { systemPath, systemUuid } = choice;
  const paths = systemPath === undefined ? await memberPaths(connection, root, signal) : [systemPath];
  const [only] = paths;
  if (systemUuid === undefined) {
    if (only === undefined || paths.length > 1) throw ambiguous(paths);
    return { path: only, document: await connection.get(only, signal, 'no-such-system') };
  }
  for (const path of paths) {
    const document = await connection.get(path, signal, 'no-such-system');
    if (textAt(document, 'UUID')?.toLowerCase() === systemUuid.toLowerCase()) return { path, document };
  }
  throw new BmcError('no-such-system', `none of ${listed(paths)} has the UUID ${systemUuid}: check systemUuid`);
}

async function memberPaths(
  connection: RedfishConnection,
  root: JsonObject,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const paths: string[] = [];
  const seen = new Set<string>();
  let next: string | undefined = linkAt(root, 'Systems') ?? '/redfish/v1/Systems';
  while (next !== undefined) {
    const page = connection.pathOf(next);
    if (seen.has(page) || seen.size >= MOST_PAGES) {
      throw new BmcError('bad-answer', `GET ${page}: the list of systems does not end`);
    }
    seen.add(page);
    const document = await connection.get(page, signal);
    for (const member of objectsAt(document, 'Members')) {
      const link = textAt(member, '@odata.id');
      if (link === undefined) throw new BmcError('bad-answer', `GET ${page}: a member has no @odata.id`);
      paths.push(connection.pathOf(link));
    }
    next = textAt(document, 'Members@odata.nextLink');
  }
  return [...new Set(paths)];
}

function ambiguous(paths: readonly string[]): BmcError {
  const what = paths.length === 0 ? 'the controller has no system' : `the controller has ${listed(paths)}`;
  return new BmcError('no-such-system', `${what}: set systemPath or systemUuid`);
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).join(', ');
  return paths.length > 10 ? `${shown} and ${paths.length - 10} more` : shown || 'no systems';
}

import { forbidden } from '@smalt/resource';

import { badRequestError, invalidError } from '../errors/make-status-error.ts';
import type { ListOptions } from '../registry/list-objects.ts';
import type { WatchOptions } from '../registry/watch-objects.ts';
import { isTrue, type RequestInfo } from './request-info.ts';

/** Reads the options of a list. Throws 400 for what cannot be read and 422 for what is only for a watch. */
export function parseListOptions(info: RequestInfo): ListOptions {
  const { query } = info;
  if (query.has('sendInitialEvents')) {
    const error = forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
    throw invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [error]);
  }
  integer(query, 'timeoutSeconds');
  return {
    ...sharedOptions(info),
    limit: Math.max(integer(query, 'limit') ?? 0, 0),
    continue: query.get('continue') ?? undefined,
  };
}

/** Reads the options of a watch. */
export function parseWatchOptions(info: RequestInfo): WatchOptions {
  const initial = info.query.get('sendInitialEvents');
  return {
    ...sharedOptions(info),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    allowBookmarks: isTrue(info.query.get('allowWatchBookmarks')),
  };
}

/** How long a watch may last by the wish of the client; undefined when it does not say. */
export function parseTimeoutSeconds(query: URLSearchParams): number | undefined {
  const seconds = integer(query, 'timeoutSeconds');
  return seconds === undefined || seconds <= 0 ? undefined : seconds;
}

/** The selectors and the state that a list, a watch or a deletion of many is about. */
export function sharedOptions(info: RequestInfo): SharedOptions {
  const { query } = info;
  return {
    namespace: info.namespace,
    labelSelector: query.get('labelSelector') ?? undefined,
    fieldSelector: fieldSelectorOf(info),
    resourceVersion: query.get('resourceVersion') ?? undefined,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? undefined,
  };
}

export interface SharedOptions {
  readonly namespace: string;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly resourceVersionMatch: string | undefined;
}

// A name in the path is the old form of a watch of one object, `/watch/pods/NAME`.
function fieldSelectorOf(info: RequestInfo): string | undefined {
  const given = info.query.get('fieldSelector') ?? '';
  if (given !== '') {
    if (info.name !== '' && !given.split(',').some((term) => requiresName(term, info.name))) {
      throw badRequestError("fieldSelector metadata.name doesn't match requested name");
    }
    return given;
  }
  return info.name === '' ? undefined : `metadata.name=${info.name}`;
}

function requiresName(term: string, name: string): boolean {
  return term === `metadata.name=${name}` || term === `metadata.name==${name}`;
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

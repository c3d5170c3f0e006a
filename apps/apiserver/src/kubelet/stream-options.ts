import type { JsonObject } from '@smalt/json';

import { badRequestError } from '../errors/make-status-error.ts';
import { isTrue, type RequestInfo } from '../http/request-info.ts';

/** The streams of a container that can be wanted, and what the agent of a node calls them. */
export const STREAM_FLAGS: readonly (readonly [string, string])[] = [
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['stderr', 'error'],
  ['tty', 'tty'],
];

const KINDS: ReadonlyMap<string, string> = new Map([
  ['exec', 'PodExecOptions'],
  ['attach', 'PodAttachOptions'],
  ['portforward', 'PodPortForwardOptions'],
]);

/** What a stream to a pod is asked for, as the object that admission sees. Throws 400 when it cannot be read. */
export function streamOptions({ subresource, query }: RequestInfo): JsonObject {
  const kind = KINDS.get(subresource) ?? '';
  const named = { kind, apiVersion: 'v1' };
  if (subresource === 'portforward') return { ...named, ...portsOf(query) };
  const flags = STREAM_FLAGS.filter(([flag]) => isTrue(query.get(flag))).map(([flag]) => [flag, true]);
  const container = query.get('container') ?? '';
  const command = subresource === 'exec' ? query.getAll('command') : [];
  return {
    ...named,
    ...Object.fromEntries(flags),
    ...(container === '' ? {} : { container }),
    ...(command.length === 0 ? {} : { command }),
  };
}

function portsOf(query: URLSearchParams): JsonObject {
  const ports = query.getAll('ports');
  if (ports.some((port) => !/^\d{1,5}$/.test(port))) throw badRequestError('ports have to be numbers');
  return ports.length === 0 ? {} : { ports: ports.map(Number) };
}

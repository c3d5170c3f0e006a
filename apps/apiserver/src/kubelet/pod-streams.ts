import type { OutgoingHttpHeaders } from 'node:http';

import { tunnelUpgrade } from '../aggregation/tunnel-upgrade.ts';
import { badRequestError } from '../errors/make-status-error.ts';
import { isTrue } from '../http/request-info.ts';
import type { UpgradeCall, UpgradeHandler } from '../http/upgrade-handler.ts';
import type { KubeletAccess } from './kubelet-access.ts';
import { chooseContainer } from './pod-container.ts';

const FLAGS: readonly (readonly [string, string])[] = [
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['stderr', 'error'],
  ['tty', 'tty'],
];

/** Runs a program in a container, joins one that runs, or reaches a port of a pod: all by the agent of its node. */
export function podStreams(access: KubeletAccess): ReadonlyMap<string, UpgradeHandler> {
  return new Map<string, UpgradeHandler>([
    ['/pods/exec', (call) => stream(access, call, containerPath(access, call, 'exec'))],
    ['/pods/attach', (call) => stream(access, call, containerPath(access, call, 'attach'))],
    ['/pods/portforward', (call) => stream(access, call, portPath(call))],
  ]);
}

function containerPath(access: KubeletAccess, { info }: UpgradeCall, action: string): string {
  const { namespace, name, query } = info;
  const container = chooseContainer(access.pod(namespace, name), query.get('container') ?? '');
  const wanted = new URLSearchParams();
  for (const [flag, word] of FLAGS) if (isTrue(query.get(flag))) wanted.set(word, '1');
  if (action === 'exec') for (const part of query.getAll('command')) wanted.append('command', part);
  return `/${action}/${namespace}/${name}/${container}?${wanted.toString()}`;
}

function portPath({ info }: UpgradeCall): string {
  const ports = info.query.getAll('ports');
  if (ports.some((port) => !/^\d+$/.test(port))) throw badRequestError('ports have to be numbers');
  const query = ports.length === 0 ? '' : `?port=${ports.join(',')}`;
  return `/portForward/${info.namespace}/${info.name}${query}`;
}

async function stream(access: KubeletAccess, call: UpgradeCall, path: string): Promise<void> {
  const { namespace, name } = call.info;
  const target = access.target(access.nodeOf(access.pod(namespace, name)), false);
  // The credential of the client is for us alone.
  const { authorization: _authorization, cookie: _cookie, host: _host, ...rest } = call.request.headers;
  const kept = Object.entries(rest).filter(([header]) => !header.startsWith('impersonate-'));
  const headers: OutgoingHttpHeaders = Object.fromEntries(kept);
  const own = { host: `${target.host}:${target.port}`, ...headers };
  await tunnelUpgrade(call, { path, headers: own, target });
}

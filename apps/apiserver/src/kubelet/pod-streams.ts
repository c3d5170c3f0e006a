import type { OutgoingHttpHeaders } from 'node:http';

import type { JsonObject } from '@smalt/json';

import { tunnelUpgrade } from '../aggregation/tunnel-upgrade.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { plainMethodNotAllowedError, unknownResourceError } from '../errors/make-status-error.ts';
import type { UpgradeCall, UpgradeHandler } from '../http/upgrade-handler.ts';
import { textAt, textsAt } from '../identity/object-fields.ts';
import type { Admission } from '../registry/admission.ts';
import type { KubeletAccess } from './kubelet-access.ts';
import { chooseContainer } from './pod-container.ts';
import { STREAM_FLAGS, streamOptions } from './stream-options.ts';

export interface StreamRules {
  readonly catalog: Pick<Catalog, 'find'>;
  readonly admission: Admission;
}

/** Runs a program in a container, joins one that runs, or reaches a port of a pod: all by the agent of its node. */
export function podStreams(access: KubeletAccess, rules: StreamRules): ReadonlyMap<string, UpgradeHandler> {
  const handler: UpgradeHandler = async (call) => stream(access, call, await admit(rules, call));
  return new Map(['/pods/exec', '/pods/attach', '/pods/portforward'].map((key) => [key, handler]));
}

/** What is asked for after all who have a say in it have had it. */
async function admit({ catalog, admission }: StreamRules, call: UpgradeCall): Promise<JsonObject> {
  const { info, user, signal } = call;
  const { group, version, plural, subresource, namespace, name } = info;
  const resource = catalog.find(group, version, plural);
  if (resource === undefined || info.rest.length > 0) throw unknownResourceError();
  if (info.verb !== 'get' && info.verb !== 'create') throw plainMethodNotAllowedError();
  const review = {
    operation: 'CONNECT',
    resource,
    subresource,
    namespace,
    name,
    object: streamOptions(info),
    oldObject: undefined,
    user,
    dryRun: false,
    options: {},
    // There is no answer of our own that a warning could go with.
    addWarning: () => undefined,
  } as const;
  const object = (await admission.mutate(review, signal)) ?? review.object;
  await admission.validate({ ...review, object }, signal);
  return object;
}

async function stream(access: KubeletAccess, call: UpgradeCall, options: JsonObject): Promise<void> {
  const { namespace, name, subresource } = call.info;
  const pod = access.pod(namespace, name);
  const path = subresource === 'portforward' ? portPath(call, options) : containerPath(call, pod, options);
  const target = access.target(access.nodeOf(pod), false);
  // The credential of the client is for us alone.
  const { authorization: _authorization, cookie: _cookie, host: _host, ...rest } = call.request.headers;
  const kept = Object.entries(rest).filter(([header]) => !header.startsWith('impersonate-'));
  const headers: OutgoingHttpHeaders = Object.fromEntries(kept);
  const own = { host: `${target.host}:${target.port}`, ...headers };
  await tunnelUpgrade(call, { path, headers: own, target });
}

function containerPath({ info }: UpgradeCall, pod: JsonObject, options: JsonObject): string {
  const container = chooseContainer(pod, textAt(options, 'container'));
  const wanted = new URLSearchParams();
  for (const [flag, word] of STREAM_FLAGS) if (options[flag] === true) wanted.set(word, '1');
  for (const part of textsAt(options, 'command')) wanted.append('command', part);
  return `/${info.subresource}/${info.namespace}/${info.name}/${container}?${wanted.toString()}`;
}

function portPath({ info }: UpgradeCall, { ports }: JsonObject): string {
  const query = Array.isArray(ports) && ports.length > 0 ? `?port=${ports.map(Number).join(',')}` : '';
  return `/portForward/${info.namespace}/${info.name}${query}`;
}

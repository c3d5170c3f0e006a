import { request as httpsRequest } from 'node:https';

import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';

import { networkProblem } from '../admission/network-problem.ts';
import type { Store } from '../store/store.ts';
import type { ApiService, Availability } from './api-service.ts';
import type { FrontProxy } from './front-proxy.ts';
import { resolveService } from './resolve-service.ts';
import { tlsOptions, type TlsTarget } from './tls-target.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** What a look at another server has shown; the list is its discovery. */
export interface Probe {
  readonly availability: Availability;
  readonly list: JsonObject | undefined;
}

/** Where an aggregated server is. Throws when its service cannot be resolved. */
export function targetOf(store: Store, proxy: FrontProxy, api: ApiService): TlsTarget {
  const { namespace, name } = api.service;
  const { certificate, key } = proxy.client;
  const address = resolveService(store, api.service);
  const serverName = `${name}.${namespace}.svc`;
  return { ...address, serverName, ca: api.ca, isInsecure: api.isInsecure, cert: certificate, key };
}

/** Asks another server for its discovery. */
export async function probeService(
  store: Store,
  proxy: FrontProxy,
  api: ApiService,
  signal: AbortSignal,
): Promise<Probe> {
  const { namespace, name } = api.service;
  if (store.get('services', `${namespace}/${name}`) === undefined) {
    return failed('ServiceNotFound', `service/${name} in ${JSON.stringify(namespace)} is not present`);
  }
  const url = `https://${name}.${namespace}.svc:${api.service.port}/apis/${api.group}/${api.version}`;
  try {
    const target = targetOf(store, proxy, api);
    const list = await read(proxy, target, `/apis/${api.group}/${api.version}`, signal);
    return { availability: { status: 'True', reason: 'Passed', message: 'all checks passed' }, list };
  } catch (error) {
    signal.throwIfAborted();
    const why = networkProblem(error, signal);
    return failed('FailedDiscoveryCheck', `failing or missing response from ${url}: ${why}`);
  }
}

function failed(reason: string, message: string): Probe {
  return { availability: { status: 'False', reason, message }, list: undefined };
}

function read(proxy: FrontProxy, target: TlsTarget, path: string, given: AbortSignal): Promise<JsonObject> {
  const user = { name: 'system:kube-aggregator', groups: ['system:masters'], extra: {} };
  const headers = { ...proxy.headersFor(user, { accept: 'application/json' }), host: target.serverName };
  const signal = AbortSignal.any([given, AbortSignal.timeout(TIMEOUT_MS)]);
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ ...tlsOptions(target), path, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > MAX_BYTES) request.destroy(new Error('the answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => {
        const code = response.statusCode ?? 0;
        if (code < 200 || code >= 300) return reject(new Error(`bad status from ${path}: ${code}`));
        resolve(objectIn(Buffer.concat(chunks).toString('utf8')));
      });
    });
    request.on('error', reject);
    request.end();
  });
}

function objectIn(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {}; // It is there, and only its discovery cannot be shown.
  }
}

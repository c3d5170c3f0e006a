import { isIPv4 } from 'node:net';

import { HaAgentError } from './ha-agent-error.ts';

/** How the agent shows the service which node it is on. The files are read anew when they change. */
export type HaIdentity =
  | { readonly kind: 'certificate'; readonly certificateFile: string; readonly keyFile: string }
  | { readonly kind: 'token'; readonly tokenFile: string };

/** Where the HA service is and how it is talked to. */
export interface HaServiceSettings {
  /** Such as `https://ha.example`; a path in it is kept. */
  readonly url: string;
  /** Nothing only for a service on this machine. */
  readonly identity?: HaIdentity | undefined;
  /** The authority of the service's certificate; that of the system otherwise. */
  readonly authorityFile?: string | undefined;
  /** Lets plain HTTP leave the machine. */
  readonly allowPlainHttp?: boolean | undefined;
  /** How long one request may take. Default 10,000. */
  readonly requestTimeoutMs?: number | undefined;
}

export interface HaAgentSettings {
  /** Without one nothing is queued; events still show in the condition and in the metrics. */
  readonly service?: HaServiceSettings | undefined;
  /** A YAML or JSON file that says what is reported; without one, everything. */
  readonly reportFile?: string | undefined;
  /** Records in the queue. Default 100,000. */
  readonly maxQueuedRecords?: number | undefined;
  /** Bytes of the records in the queue. Default 64 MiB. */
  readonly maxQueuedBytes?: number | undefined;
}

/** Where batches go. Throws when the settings cannot work, and says which and why. */
export function telemetryUrl(settings: HaServiceSettings, nodeName: string): URL {
  const { url: text, identity, allowPlainHttp = false } = settings;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new HaAgentError('invalid-settings', 'service.url must be an address such as https://ha.example');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new HaAgentError('invalid-settings', 'service.url must have no user, password, query or fragment');
  }
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !isLocal && !allowPlainHttp) {
    const advice = 'use https, or set service.allowPlainHttp if the network is trusted';
    throw new HaAgentError('invalid-settings', `service.url must not be plain HTTP to ${url.hostname}: ${advice}`);
  }
  if (url.protocol === 'http:' && identity?.kind === 'certificate') {
    throw new HaAgentError('invalid-settings', 'service.identity: a certificate needs an https address in service.url');
  }
  if (identity === undefined && !isLocal) {
    const advice = 'name a certificate and its key, or a token file';
    throw new HaAgentError('invalid-settings', `service.identity is missing, and ${url.hostname} is remote: ${advice}`);
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v1/nodes/${encodeURIComponent(nodeName)}/telemetry`;
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}

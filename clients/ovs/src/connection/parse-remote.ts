import { OvsError } from '../ovs-error.ts';

/** One place where a daemon listens. */
export type OvsEndpoint =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp' | 'ssl'; readonly host: string; readonly port: number };

/** Where a database can be reached: one endpoint, or those of a cluster. */
export interface OvsdbTarget {
  readonly endpoints: readonly OvsEndpoint[];
}

const DEFAULT_PORT = 6640;
const NETWORK = /^(tcp|ssl):(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;

/** Reads `unix:PATH`, `tcp:HOST[:PORT]`, `ssl:HOST[:PORT]`, or several of them with commas between, as OVS writes them. */
export function parseRemote(text: string): OvsdbTarget {
  const endpoints = text.split(',').map((part) => parseEndpoint(part.trim(), text));
  return { endpoints };
}

/** The endpoint as OVS writes it. */
export function printEndpoint(endpoint: OvsEndpoint): string {
  if (endpoint.kind === 'unix') return `unix:${endpoint.path}`;
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
  return `${endpoint.kind}:${host}:${endpoint.port}`;
}

function parseEndpoint(part: string, whole: string): OvsEndpoint {
  if (part.startsWith('unix:') && part.length > 'unix:'.length && !part.includes('\0')) {
    return { kind: 'unix', path: part.slice('unix:'.length) };
  }
  const match = NETWORK.exec(part);
  if (match === null)
    throw invalid(part, whole, 'write unix:PATH, tcp:HOST:PORT or ssl:HOST:PORT; an IPv6 address stands in [ ]');
  const [, scheme, address, name, digits] = match;
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  if (port < 1 || port > 65_535) throw invalid(part, whole, 'the port is from 1 to 65535');
  return { kind: scheme === 'ssl' ? 'ssl' : 'tcp', host: address ?? name ?? '', port };
}

function invalid(part: string, whole: string, next: string): OvsError {
  const where = part === whole ? '' : ` in ${JSON.stringify(whole)}`;
  return new OvsError('invalid-argument', `${JSON.stringify(part)}${where} is no remote: ${next}`);
}

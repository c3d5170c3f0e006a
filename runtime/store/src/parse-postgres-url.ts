import type { PoolConfig } from 'pg';

import type { DatabaseLocation } from './database-location.ts';
import { StoreError } from './store-error.ts';

export interface PostgresPlace {
  /** Without the password. */
  readonly name: string;
  readonly connection: PoolConfig;
}

type PostgresLocation = Extract<DatabaseLocation, { kind: 'postgres' }>;

const PARAMETERS = new Set(['sslmode', 'host', 'application_name']);
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Reads where a PostgreSQL is. A server on another machine is asked by TLS, and has to prove its name. */
export function parsePostgresUrl(location: PostgresLocation): PostgresPlace {
  const url = URL.parse(location.url);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw invalid('must be postgres://user@host:port/database');
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name)) throw invalid(`has the parameter "${name}"; it may have ${[...PARAMETERS].join(', ')}`);
  }
  const socket = url.searchParams.get('host') ?? undefined;
  if (socket !== undefined && !socket.startsWith('/')) throw invalid('has a host that is no directory of a socket');
  const host = socket ?? url.hostname.replaceAll(/^\[|\]$/g, '');
  const database = decode(url.pathname.slice(1));
  if (host === '') throw invalid('names no host');
  if (database === '') throw invalid('names no database');
  if (url.username === '') throw invalid('names no user');
  const port = url.port === '' ? 5432 : Number(url.port);
  const isLocal = socket !== undefined || LOOPBACK.test(url.hostname);
  return {
    name: `postgres://${host}:${port}/${database}`,
    connection: {
      host,
      port,
      database,
      user: decode(url.username),
      password: location.readPassword ?? (url.password === '' ? undefined : decode(url.password)),
      application_name: url.searchParams.get('application_name') ?? 'smalt',
      ssl: isTls(url.searchParams.get('sslmode'), isLocal, location.tls) && {
        rejectUnauthorized: true,
        ca: location.tls?.ca,
        cert: location.tls?.certificate,
        key: location.tls?.key,
      },
    },
  };
}

function isTls(mode: string | null, isLocal: boolean, tls: PostgresLocation['tls']): boolean {
  if (mode === null) return tls !== undefined || !isLocal;
  if (mode === 'verify-full') return true;
  if (mode === 'disable') return false;
  throw invalid('has an sslmode that is neither verify-full nor disable: others do not check who answers');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalid('has a % that must be written as %25', cause);
  }
}

function invalid(complaint: string, cause?: unknown): StoreError {
  return new StoreError('invalid-location', `The URL of the database ${complaint}`, { cause });
}

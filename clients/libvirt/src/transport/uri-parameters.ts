import { invalidUri } from './invalid-uri.ts';

/** The parameters that libvirt's remote driver keeps to itself: the daemon's driver never sees them. */
const CLIENT_PARAMETERS: ReadonlySet<string> = new Set([
  'argv',
  'auth',
  'authfile',
  'command',
  'keyfile',
  'known_hosts',
  'known_hosts_verify',
  'mode',
  'name',
  'netcat',
  'no_sanity',
  'no_tty',
  'no_verify',
  'pkipath',
  'proxy',
  'socket',
  'sshauth',
  'tls_priority',
]);

/** The query of a libvirt URI. Names are compared without case, as libvirt does. */
export class UriParameters {
  readonly #pairs: readonly (readonly [name: string, value: string])[];

  constructor(query: string) {
    this.#pairs = splitQuery(query).flatMap(parsePair);
  }

  /** The value of a parameter; the last one wins. */
  text(name: string): string | undefined {
    return this.#pairs.findLast(([key]) => key.toLowerCase() === name)?.[1];
  }

  /** An absolute path. */
  path(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!value.startsWith('/') || value.includes('\0')) {
      throw invalidUri(`parameter '${name}' must be an absolute path, but is '${value}'`);
    }
    return value;
  }

  /** libvirt's switches are whole numbers: zero is off, everything else is on. */
  flag(name: string): boolean {
    const value = this.text(name);
    if (value === undefined) return false;
    if (!/^[+-]?\d+$/.test(value)) {
      throw invalidUri(`parameter '${name}' must be 0 or 1, but is '${value}'`);
    }
    return Number(value) !== 0;
  }

  /** The query without what the client uses up, with its question mark, or nothing. */
  forDriver(): string {
    const kept = this.#pairs.filter(([name]) => !CLIENT_PARAMETERS.has(name.toLowerCase()));
    if (kept.length === 0) return '';
    return `?${kept.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`).join('&')}`;
  }
}

/** Undoes percent-encoding; `part` names the part of the URI in the error. */
export function unescapeText(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalidUri(`${part} holds a '%' that is not followed by valid hexadecimal UTF-8`, {
      cause,
    });
  }
}

function escapeText(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

// libvirt looks for '&' first, and for ';' only behind the last '&'.
function splitQuery(query: string): string[] {
  const parts = query.split('&');
  const last = parts.pop() ?? '';
  return [...parts, ...last.split(';')];
}

function parsePair(part: string): (readonly [string, string])[] {
  const equals = part.indexOf('=');
  // '=value' has no name: libvirt drops it.
  if (part === '' || equals === 0) return [];
  const name = unescapeText(equals < 0 ? part : part.slice(0, equals), 'a parameter name');
  const value = equals < 0 ? '' : unescapeText(part.slice(equals + 1), `parameter '${name}'`);
  return [[name, value]];
}

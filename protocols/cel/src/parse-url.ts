/** A URL in the parts that Go's parser makes of it. */
export interface ParsedUrl {
  readonly scheme: string;
  /** Host and port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const UNRESERVED_IN_PATH = /[A-Za-z0-9\-_.~$&+,/:;=@]/;

/** Reads an absolute URL or an absolute path as Go's net/url does, or returns why it is none. */
export function parseUrl(text: string): ParsedUrl | string {
  const fail = (reason: string): string => `parse ${JSON.stringify(text)}: ${reason}`;
  if (text === '') return fail('empty url');
  // oxlint-disable-next-line no-control-regex -- Go refuses exactly these
  if (/[\x00-\x1f\x7f]/.test(text)) return fail('net/url: invalid control character in URL');
  if (text.startsWith(':')) return fail('missing protocol scheme');
  const [, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const colon = /^[^/?#[\]@]*?:/.exec(text);
  if (scheme === '' && colon !== null && !/^[0-9+.-]/.test(text))
    return fail('first path segment in URL cannot contain colon');
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  if (!rest.startsWith('/'))
    return scheme === '' ? fail('invalid URI for request') : { ...NOTHING, scheme: scheme.toLowerCase() };
  return parseRest(scheme.toLowerCase(), rest, fail);
}

const NOTHING: ParsedUrl = { scheme: '', host: '', path: '', query: '' };

function parseRest(scheme: string, rest: string, fail: (reason: string) => string): ParsedUrl | string {
  const withoutFragment = rest.split('#', 1)[0] ?? '';
  const question = withoutFragment.indexOf('?');
  const beforeQuery = question === -1 ? withoutFragment : withoutFragment.slice(0, question);
  const query = question === -1 ? '' : withoutFragment.slice(question + 1);
  const hasAuthority = scheme !== '' && beforeQuery.startsWith('//');
  const authority = hasAuthority ? (/^\/\/([^/]*)/.exec(beforeQuery)?.[1] ?? '') : '';
  const path = hasAuthority ? beforeQuery.slice(2 + authority.length) : beforeQuery;
  const userInfo = authority.lastIndexOf('@');
  const host = authority.slice(userInfo + 1);
  const problem = hostProblem(host) ?? userProblem(authority.slice(0, Math.max(0, userInfo))) ?? escapeProblem(path);
  return problem === undefined ? { scheme, host, path, query } : fail(problem);
}

function hostProblem(host: string): string | undefined {
  const bracketed = /^\[([^\]]*)\](.*)$/s.exec(host);
  if (host.startsWith('[') && bracketed === null) return "missing ']' in host";
  const colon = host.lastIndexOf(':');
  const port = bracketed === null ? (colon === -1 ? '' : host.slice(colon)) : (bracketed[2] ?? '');
  if (!/^(?::[0-9]*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const odd = /[ "\\^`{|}]/.exec(host);
  return odd === null ? undefined : `invalid character ${JSON.stringify(odd[0])} in host name`;
}

function userProblem(userInfo: string): string | undefined {
  return /^[A-Za-z0-9\-_.~!$&'()*+,;=:%@]*$/.test(userInfo) ? undefined : 'net/url: invalid userinfo';
}

function escapeProblem(path: string): string | undefined {
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(path);
  return broken === null ? undefined : `invalid URL escape ${JSON.stringify(broken[0])}`;
}

/** The host without its port and brackets. */
export function hostnameOf({ host }: ParsedUrl): string {
  return host.replace(/:[0-9]*$/, '').replace(/^\[(.*)\]$/s, '$1');
}

/** The port as it stands after the host; empty where there is none. */
export function portOf({ host }: ParsedUrl): string {
  return /:([0-9]*)$/.exec(host.replace(/^\[[^\]]*\]/, ''))?.[1] ?? '';
}

/** The path with everything escaped that has to be. */
export function escapedPathOf({ path }: ParsedUrl): string {
  if (/^(?:%[0-9a-fA-F]{2}|[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]])*$/.test(path)) return path;
  const bytes = unescapeBytes(path, false);
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return UNRESERVED_IN_PATH.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** The values of each name in the query, in their order. What cannot be unescaped is left out. */
export function queryOf({ query }: ParsedUrl): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';') || escapeProblem(pair) !== undefined) continue;
    const equals = pair.indexOf('=');
    const name = unescapeText(equals === -1 ? pair : pair.slice(0, equals));
    const value = unescapeText(equals === -1 ? '' : pair.slice(equals + 1));
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

function unescapeText(text: string): string {
  return unescapeBytes(text, true).toString('utf8');
}

function unescapeBytes(text: string, isQuery: boolean): Buffer {
  const parts = text.split(/(%[0-9a-fA-F]{2})/).map((part) => {
    if (/^%[0-9a-fA-F]{2}$/.test(part)) return Buffer.from(part.slice(1), 'hex');
    return Buffer.from(isQuery ? part.replaceAll('+', ' ') : part, 'utf8');
  });
  return Buffer.concat(parts);
}

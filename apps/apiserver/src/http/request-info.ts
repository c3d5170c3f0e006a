/** What a request asks for, as its method, path and query say; nothing is known yet of what exists. */
export interface RequestInfo {
  /** Whether it is about objects; otherwise only `path` and `verb` mean something. */
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** A verb of the API for objects (`list`, `watch`, …), else the method in lower case. Empty for an unknown method. */
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  /** Of a namespace itself this is its name, as for the authorizer it stands inside of itself. */
  readonly namespace: string;
  /** For a list or watch of one object by `fieldSelector=metadata.name=…` this is that name. */
  readonly name: string;
  /** What follows the subresource, such as the path of a proxied request. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);
const EXACT_NAME = /^metadata\.name==?([^,=!]+)$/;
const NAME_OF_A_SEGMENT = /^(?!\.{1,2}$)[^/%]+$/;

/**
 * Reads the path grammar of the Kubernetes API. Undefined where a path cannot be read: it holds malformed escapes, or
 * starts with `watch/` and says nothing of what.
 */
export function parseRequestInfo(method: string, url: string): RequestInfo | undefined {
  const mark = url.indexOf('?');
  const path = decodePath(mark < 0 ? url : url.slice(0, mark));
  if (path === undefined) return undefined;
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  const start = parts[0] === 'apis' ? 3 : 2;
  if ((parts[0] !== 'api' && parts[0] !== 'apis') || parts.length <= start) {
    return nonResourceInfo(method, path, query);
  }
  const group = start === 3 ? (parts[1] ?? '') : '';
  return resourceInfo({ method, path, query, group, version: parts[start - 1] ?? '' }, parts.slice(start));
}

function decodePath(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

function nonResourceInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const nothing = { group: '', version: '', plural: '', subresource: '', namespace: '', name: '', rest: [] };
  return { isResourceRequest: false, path, verb: method.toLowerCase(), ...nothing, query };
}

interface Prefix {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly group: string;
  readonly version: string;
}

function resourceInfo(prefix: Prefix, given: readonly string[]): RequestInfo | undefined {
  const isWatchPath = given[0] === 'watch';
  if (isWatchPath && given.length < 2) return undefined;
  const { namespace, parts } = splitNamespace(isWatchPath ? given.slice(1) : given);
  const { path, query, group, version } = prefix;
  const [plural = '', name = '', subresource = ''] = parts;
  const verb = isWatchPath ? 'watch' : (VERBS.get(prefix.method) ?? '');
  const target = { isResourceRequest: true, path, query, group, version, plural, subresource, namespace };
  const rest = parts.slice(3);
  if (name !== '') return { ...target, verb, name, rest };
  if (verb === 'get')
    return { ...target, verb: isTrue(query.get('watch')) ? 'watch' : 'list', name: nameOf(query), rest };
  return { ...target, verb: verb === 'delete' ? 'deletecollection' : verb, name, rest };
}

function splitNamespace(parts: readonly string[]): { readonly namespace: string; readonly parts: readonly string[] } {
  if (parts[0] !== 'namespaces' || parts.length < 2) return { namespace: '', parts };
  const isWithin = parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? '');
  return { namespace: parts[1] ?? '', parts: isWithin ? parts.slice(2) : parts };
}

function nameOf(query: URLSearchParams): string {
  const name = EXACT_NAME.exec(query.get('fieldSelector') ?? '')?.[1] ?? '';
  return NAME_OF_A_SEGMENT.test(name) ? name : '';
}

/** Whether the path itself names an object, rather than a selector in the query. */
export function isNamedByPath(info: RequestInfo): boolean {
  return info.name !== '' && info.name !== nameOf(info.query);
}

/** Whether a query parameter that is a flag is set: present, and neither `false` nor `0`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

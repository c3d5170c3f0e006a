import { checkPathSegmentName } from '@smalt/kubernetes';

import { statusOf, refusal } from '../virt-api-error.ts';
import { SUBRESOURCE_ROUTES, type SubresourceRoute } from './subresource-routes.ts';

export const SUBRESOURCE_GROUP = 'subresources.kubevirt.io';
export const SUBRESOURCE_VERSIONS: readonly string[] = ['v1', 'v1alpha3'];

/** A request to a subresource, as its path says. */
export interface SubresourceRequest {
  readonly route: SubresourceRoute;
  readonly version: string;
  /** Empty for what stands in no namespace. */
  readonly namespace: string;
  /** The name of the object; empty for what belongs to none. */
  readonly name: string;
  /** What follows the name of the subresource: the port of a forward. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** The right that a request needs, in the words of RBAC and as Kubernetes itself reads paths. */
export interface NeededRight {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verb: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What is asked for: the path with its escapes undone, as those have read it who allowed the request. */
export interface AskedPath {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Finds what a path below the group asks for. Refuses with 404 what there is not, and with 405 the wrong method. */
export function findSubresource({ method, path, query }: AskedPath): SubresourceRequest {
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  const [root, group, version = '', ...below] = parts;
  const isOurs = root === 'apis' && group === SUBRESOURCE_GROUP && SUBRESOURCE_VERSIONS.includes(version);
  const found = isOurs ? findRoute(below) : undefined;
  if (found === undefined) throw refusal(statusOf(404, 'the server could not find the requested resource', {}));
  if (found.route.method !== (method === 'HEAD' ? 'GET' : method)) {
    const message = `${found.route.name} takes ${found.route.method} and not ${method}`;
    throw refusal(statusOf(405, message, {}));
  }
  return { ...found, version, query };
}

/** What the sender of a request has to be allowed; undefined for what everybody may know. */
export function neededRight(request: SubresourceRequest): NeededRight | undefined {
  const { route, version, namespace, name } = request;
  const [resource = '', subresource] = route.name.split('/');
  if (!route.isNamespaced && subresource === undefined) return undefined;
  const verb = route.method === 'PUT' ? 'update' : 'get';
  const what = { group: SUBRESOURCE_GROUP, version, resource, verb };
  const where = route.isNamespaced ? { ...what, namespace } : what;
  // Of a path such as evacuate/cancel the API server looks at the first word alone, and so do roles.
  return subresource === undefined ? where : { ...where, subresource, name };
}

function findRoute(below: readonly string[]): Omit<SubresourceRequest, 'version' | 'query'> | undefined {
  if (below[0] !== 'namespaces') return findOutsideNamespaces(below);
  const [, namespace = '', resource = '', name = '', ...words] = below;
  if (below.length === 3) {
    const route = SUBRESOURCE_ROUTES.find((candidate) => candidate.name === resource);
    return route?.isNamespaced === true ? { route, namespace, name: '', rest: [] } : undefined;
  }
  if (!isName(namespace) || !isName(name)) return undefined;
  // The longest name that fits: vnc/screenshot is no port of vnc.
  for (let length = words.length; length > 0; length--) {
    const wanted = [resource, ...words.slice(0, length)].join('/');
    // What stands in no namespace is not found by way of one: whoever let the request pass looked at the rights there.
    const route = SUBRESOURCE_ROUTES.find((each) => each.isNamespaced && each.name === wanted);
    const rest = words.slice(length);
    if (route !== undefined && (rest.length === 0 || takesRest(route))) return { route, namespace, name, rest };
  }
  return undefined;
}

/** `version`, or `nodes/NAME/usage`. */
function findOutsideNamespaces(below: readonly string[]): Omit<SubresourceRequest, 'version' | 'query'> | undefined {
  const [resource = '', name = '', ...words] = below;
  if (below.length > 1 && !isName(name)) return undefined;
  const wanted = [resource, ...words].join('/');
  const route = SUBRESOURCE_ROUTES.find((each) => !each.isNamespaced && each.name === wanted);
  const isNamed = wanted.includes('/');
  if (route === undefined || isNamed !== below.length > 1) return undefined;
  return { route, namespace: '', name, rest: [] };
}

function takesRest({ name }: SubresourceRoute): boolean {
  return name.endsWith('/portforward');
}

// A name such as `..` would lead somewhere else when it is asked for in turn.
function isName(text: string): boolean {
  return text !== '' && checkPathSegmentName(text).length === 0;
}

/** Reads the URL of a request. Refuses one that cannot be read. */
export function readUrl(method: string, url: string): AskedPath {
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  try {
    return { method, path: decodeURIComponent(mark < 0 ? url : url.slice(0, mark)), query };
  } catch (error) {
    throw refusal(statusOf(400, 'the path of the request cannot be read', {}), { cause: error });
  }
}

import type { RequestInfo } from '../http/request-info.ts';
import { pathAttributes, type Attributes } from './authorizer.ts';

/** What a request is asked to be allowed as. */
export function requestAttributes(info: RequestInfo): Attributes {
  if (!info.isResourceRequest) return pathAttributes(info.verb, info.path);
  const { verb, group, version, plural, subresource, namespace, name, path } = info;
  return { isResourceRequest: true, verb, group, version, resource: plural, subresource, namespace, name, path };
}

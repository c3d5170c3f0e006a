import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { User } from '../identity/user.ts';
import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';

/** A request about a resource that passed authentication and authorization. */
export interface ResourceCall {
  readonly exchange: Exchange;
  readonly info: RequestInfo;
  readonly resource: Resource;
  readonly user: User;
  /** Throws a 403 unless the user may create what the request names. */
  readonly authorizeCreate: () => void;
  /** Reads the body as an object of the given kind: JSON, YAML or protobuf. */
  readBody(kind: { readonly group: string; readonly version: string; readonly kind: string }): Promise<JsonObject>;
}

/** What a handler answers: an object with its HTTP code, or undefined when it wrote the answer itself. */
export type HandlerAnswer = { readonly code: number; readonly object: JsonObject } | undefined;

/**
 * Serves a resource that is not stored (`subjectaccessreviews`) or a subresource with a meaning of its own (`pods/log`).
 * Throws a StatusError to refuse.
 */
export type ResourceHandler = (call: ResourceCall) => Promise<HandlerAnswer>;

/** Handlers by `group/plural` or `group/plural/subresource`; the core group is empty. */
export type ResourceHandlers = ReadonlyMap<string, ResourceHandler>;

/** The key of a handler. */
export function handlerKey(info: Pick<RequestInfo, 'group' | 'plural' | 'subresource'>): string {
  const resource = `${info.group}/${info.plural}`;
  return info.subresource === '' ? resource : `${resource}/${info.subresource}`;
}

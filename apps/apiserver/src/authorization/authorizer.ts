import type { User } from '../identity/user.ts';

/** What someone wants to do. */
export interface Attributes {
  readonly isResourceRequest: boolean;
  readonly verb: string;
  /** Empty for the core group; also empty, like all below but `path`, when the request is about no resource. */
  readonly group: string;
  readonly version: string;
  /** The plural name, such as `pods`. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

export interface Decision {
  readonly allowed: boolean;
  /** Which binding allowed it, or what went wrong while looking; often empty. */
  readonly reason: string;
}

/** Says at once, without waiting for anything, whether someone may do something. */
export interface Authorizer {
  authorize(user: User, attributes: Attributes): Decision;
}

/** Attributes of a request about objects; what is not given is empty. */
export function resourceAttributes(given: Pick<Attributes, 'verb' | 'resource'> & Partial<Attributes>): Attributes {
  return { ...NOTHING, ...given, isResourceRequest: true };
}

/** Attributes of a request about a path such as `/metrics`. */
export function pathAttributes(verb: string, path: string): Attributes {
  return { ...NOTHING, isResourceRequest: false, verb, path };
}

const NOTHING: Attributes = {
  isResourceRequest: true,
  verb: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
};

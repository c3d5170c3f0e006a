import { resourcePath, type KindReference, type KubernetesObject } from '@smalt/kubernetes';

/** What is to be followed: a collection of the API, or a part of it. */
export interface FollowQuery {
  readonly path: string;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

export interface FollowScope {
  /** All namespaces without one. */
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** The changes that the HA service tells of: hosts, incidents, journal and status in one. */
export const HIGH_AVAILABILITY_CHANGES: FollowQuery = { path: '/ha/v1/changes' };

export function queryOf(kind: KindReference, scope: FollowScope = {}): FollowQuery {
  const { group, version, plural } = kind;
  const namespace = kind.isNamespaced && scope.namespace !== '' ? scope.namespace : undefined;
  return {
    path: resourcePath({ group, version, plural, namespace }),
    ...(scope.fieldSelector === undefined ? {} : { fieldSelector: scope.fieldSelector }),
    ...(scope.labelSelector === undefined ? {} : { labelSelector: scope.labelSelector }),
  };
}

/** Equal for queries that follow the same. */
export function queryKey({ path, fieldSelector = '', labelSelector = '' }: FollowQuery): string {
  return `${path}?${fieldSelector}&${labelSelector}`;
}

/** Whether the server served this object as one of that kind; in lists it leaves the kind out. */
export function isOfKind<T extends KubernetesObject>(kind: KindReference<T>, object: KubernetesObject): object is T {
  const said: string | undefined = object.kind;
  return said === undefined || said === kind.kind;
}

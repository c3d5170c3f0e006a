import type { Resource } from '@smalt/resource';

/** A subresource as discovery shows it. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

const STATUS_VERBS = ['get', 'patch', 'update'];

/** Every subresource of a resource, by name. */
export function subresourcesOf(resource: Resource): readonly Subresource[] {
  const { kind, group, version } = resource;
  const found: Subresource[] = [...resource.otherSubresources];
  if (resource.hasStatus) found.push({ name: 'status', kind, group, version, verbs: STATUS_VERBS });
  if (resource.scale !== undefined) {
    found.push({ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: STATUS_VERBS });
  }
  return found.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

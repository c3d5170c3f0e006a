import type { KindReference, KubernetesObject, ObjectMeta } from '@smalt/kubernetes';

/** Something that happened to an object, as the part that did it or saw it tells. */
export interface EventObject extends KubernetesObject {
  readonly involvedObject: {
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
  };
  readonly reason?: string;
  readonly message?: string;
  /** `Normal` or `Warning`. */
  readonly type?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
}

export interface NamespaceObject extends KubernetesObject {
  readonly metadata: ObjectMeta;
}

export const eventKind: KindReference<EventObject> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  isNamespaced: true,
};

export const namespaceKind: KindReference<NamespaceObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

/** When it was last seen. */
export function eventTime(event: EventObject): string {
  const { series, lastTimestamp, eventTime: first, firstTimestamp, metadata } = event;
  return series?.lastObservedTime ?? lastTimestamp ?? first ?? firstTimestamp ?? metadata.creationTimestamp ?? '';
}

/** How often it was seen. */
export function eventCount({ series, count }: EventObject): number {
  return series?.count ?? count ?? 1;
}

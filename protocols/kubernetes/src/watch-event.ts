import type { KubernetesObject, Status } from './object.ts';

/** A line of a watch. A bookmark's object has nothing but a resourceVersion, and perhaps annotations. */
export type WatchEvent<T extends KubernetesObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }
  | { readonly type: 'ERROR'; readonly object: Status };

/** The annotation of the bookmark that ends the initial events of a watch which was asked for them. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

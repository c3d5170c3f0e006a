import type { KubernetesObject } from '@smalt/kubernetes';

/** How far what is followed is known. */
export type FollowState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  /** The server does not let this user see it. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** What is known may be old; the server is trying to mend it. */
  | { readonly kind: 'broken'; readonly message: string };

/** All that is known of what is followed, at one moment. It never changes; a change makes another. */
export interface Followed {
  readonly state: FollowState;
  readonly byKey: ReadonlyMap<string, KubernetesObject>;
  /** What replaces `byKey` as soon as all of it has come. */
  readonly pending: ReadonlyMap<string, KubernetesObject> | undefined;
}

export const NOTHING_KNOWN: Followed = { state: { kind: 'loading' }, byKey: new Map(), pending: undefined };

import type { SignalSource } from '@smalt/failure-detection';

/** How a source is heard. What agents push is heard as long as the store is; what is pulled can itself be out of reach. */
export type SourceReach =
  | { readonly kind: 'pushed' }
  /** Since when all endpoints that tell this source have answered; undefined while one does not. */
  | { readonly kind: 'pulled'; readonly since: number | undefined };

/** Whether the sources themselves are within reach: silence of one that is not means nothing. */
export interface SourcesPort {
  reachOf(source: SignalSource): SourceReach;
  /** Until when a host is known to be writing a kernel dump; left out where nothing listens for that. */
  kdumpUntil?(host: string): number | undefined;
}

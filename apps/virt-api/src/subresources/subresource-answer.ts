import type { JsonValue } from '@smalt/json';

/** What a request to a subresource is answered with. */
export interface SubresourceAnswer {
  readonly code: number;
  /** Nothing where there is nothing to say. */
  readonly body?: JsonValue;
}

import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { RequestUser } from './write-context.ts';

/** A write, or a stream to a pod, that is about to happen, as admission sees it. */
export interface AdmissionReview {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty when the name has yet to be generated. */
  readonly name: string;
  /** Undefined for a deletion. */
  readonly object: JsonObject | undefined;
  /** Undefined for a creation. */
  readonly oldObject: JsonObject | undefined;
  readonly user: RequestUser;
  readonly dryRun: boolean;
  /** The options of the request as an object of meta.k8s.io/v1, CreateOptions for example. */
  readonly options: JsonObject;
  readonly addWarning: (text: string) => void;
}

/** Rules beyond those of the kind itself. Each may refuse a write by throwing a StatusError. */
export interface Admission {
  /** The object with whatever is to be changed; undefined for a deletion. */
  mutate(review: AdmissionReview, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Looks at the object as it would be stored. */
  validate(review: AdmissionReview, signal: AbortSignal): Promise<void>;
  /** Looks once more right before a new object is stored, because much may have happened while others were asked. */
  confirm?(review: AdmissionReview): void;
}

/** An admission that lets everything pass. */
export function admitEverything(): Admission {
  return {
    mutate: (review) => Promise.resolve(review.object),
    validate: () => Promise.resolve(),
  };
}

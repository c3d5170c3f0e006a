import type { JsonObject } from '@smalt/json';

import type { Admission, AdmissionReview } from '../registry/admission.ts';

/**
 * One rule among those that writes have to pass. A component that runs in the same process as the server can be one,
 * and needs no webhook then.
 */
export interface AdmissionStep {
  /** Returns the object with what is to be changed, or refuses the write by throwing a StatusError. */
  mutate?(review: AdmissionReview, signal: AbortSignal): Promise<JsonObject | undefined> | JsonObject | undefined;
  /** Refuses the write by throwing a StatusError. */
  validate?(review: AdmissionReview, signal: AbortSignal): Promise<void> | void;
  /** Refuses a new object for what became true while other steps were waited for. */
  confirm?(review: AdmissionReview): void;
}

/** Takes writes through steps, in the order in which they were added. */
export class AdmissionChain implements Admission {
  readonly #steps: AdmissionStep[] = [];

  /** Adds steps behind those that are there; they count for all writes from now on. */
  add(...steps: readonly AdmissionStep[]): this {
    this.#steps.push(...steps);
    return this;
  }

  async mutate(review: AdmissionReview, signal: AbortSignal): Promise<JsonObject | undefined> {
    let { object } = review;
    for (const step of this.#steps) {
      if (step.mutate === undefined) continue;
      const made = step.mutate(object === review.object ? review : { ...review, object }, signal);
      object = made instanceof Promise ? await made : made;
    }
    return object;
  }

  async validate(review: AdmissionReview, signal: AbortSignal): Promise<void> {
    for (const step of this.#steps) {
      const made = step.validate?.(review, signal);
      if (made instanceof Promise) await made;
    }
  }

  confirm(review: AdmissionReview): void {
    for (const step of this.#steps) step.confirm?.(review);
  }
}

import { isTelemetryError, parseBatch, type TelemetryBatch } from '@smalt/ha-telemetry';
import { messageOf } from '@smalt/service-runtime';

import type { Refusal } from './answer.ts';

export type ReadBatch =
  | { readonly kind: 'read'; readonly batch: TelemetryBatch }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Reads the body of a request, or says what to answer where it is no batch. */
export function readBatch(text: string): ReadBatch {
  let value: unknown;
  try {
    value = JSON.parse(text);
    return { kind: 'read', batch: parseBatch(value) };
  } catch (error) {
    if (isTelemetryError(error, 'unknown-version')) {
      return { kind: 'refused', refusal: { status: 501, error: error.message } };
    }
    // With the epoch the agent knows that this is our word; what cannot even be read has none.
    const sequence = isTelemetryError(error) ? error.sequence : undefined;
    return { kind: 'refused', refusal: { status: 422, error: messageOf(error), epoch: epochOf(value), sequence } };
  }
}

function epochOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('epoch' in value)) return undefined;
  return typeof value.epoch === 'string' ? value.epoch : undefined;
}

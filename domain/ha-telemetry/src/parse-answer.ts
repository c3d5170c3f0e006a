import { FieldReader } from './field-reader.ts';
import { telemetryLimits } from './telemetry-limits.ts';
import type { TelemetryAnswer, TelemetryRefusal } from './telemetry-record.ts';

/** Reads what the service answers to a batch it took. */
export function parseAnswer(value: unknown): TelemetryAnswer {
  const fields = new FieldReader(value, '', 'invalid-answer');
  return {
    epoch: fields.text('epoch', telemetryLimits.wordLength),
    acknowledged: fields.integer('acknowledged', 0),
  };
}

/** Reads what the service answers to a batch it will never take. */
export function parseRefusal(value: unknown): TelemetryRefusal {
  const fields = new FieldReader(value, '', 'invalid-answer');
  return {
    epoch: fields.text('epoch', telemetryLimits.wordLength),
    error: fields.text('error', telemetryLimits.textLength),
    ...(fields.has('sequence') && { sequence: fields.integer('sequence', 1) }),
  };
}

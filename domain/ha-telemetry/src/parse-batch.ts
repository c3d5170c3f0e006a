import { FieldReader } from './field-reader.ts';
import { parseContent } from './parse-content.ts';
import { TelemetryError, isTelemetryError } from './telemetry-error.ts';
import { telemetryLimits } from './telemetry-limits.ts';
import type { TelemetryBatch, TelemetryRecord } from './telemetry-record.ts';

const VERSION = 1;

/**
 * Reads a batch as it came over the wire, or throws a TelemetryError that names the field, and the record if it is one.
 * What comes back covers every number from the first to the last exactly once.
 */
export function parseBatch(value: unknown): TelemetryBatch {
  const fields = new FieldReader(value, '', 'invalid-batch');
  const version = fields.raw('version');
  if (version !== VERSION) {
    throw new TelemetryError('unknown-version', `version must be ${VERSION}: the sender is of another release`, {
      field: 'version',
    });
  }
  const { wordLength, textLength } = telemetryLimits;
  const batch = {
    version: VERSION,
    node: fields.text('node', textLength),
    epoch: fields.text('epoch', wordLength),
    agent: fields.text('agent', wordLength),
    firstSequence: fields.integer('firstSequence', 1),
    lastSequence: fields.integer('lastSequence', 1),
    records: fields.objects('records', telemetryLimits.batchRecords).map(parseRecord),
  } as const;
  checkNumbers(batch, fields);
  return batch;
}

function parseRecord(fields: FieldReader): TelemetryRecord {
  const sequence = fields.integer('sequence', 1);
  try {
    return { ...parseContent(fields), sequence };
  } catch (error) {
    if (!isTelemetryError(error)) throw error;
    throw new TelemetryError(error.code, error.message, { cause: error, field: error.field, sequence });
  }
}

function checkNumbers(batch: TelemetryBatch, fields: FieldReader): void {
  if (batch.records.length === 0) fields.fail('records', 'must not be empty');
  let next = batch.firstSequence;
  for (const [index, record] of batch.records.entries()) {
    const first = record.kind === 'gap' ? record.firstSequence : record.sequence;
    if (first !== next || record.sequence < first) {
      fields.fail(`records[${index}]`, `must begin with the number ${next}, not with ${first}`);
    }
    next = record.sequence + 1;
  }
  if (batch.lastSequence !== next - 1) fields.fail('lastSequence', `must be ${next - 1}, that of the last record`);
}

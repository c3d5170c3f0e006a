import { readFileSync } from 'node:fs';

import { isJsonObject, type JsonObject } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { applyConfiguration } from './apply-configuration.ts';
import type { Endpoint } from './endpoint.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { managedFieldsOf } from './object-metadata.ts';
import { recordUpdate } from './record-update.ts';

interface RecordedCase {
  readonly operation: 'apply' | 'update';
  readonly manager: string;
  readonly force: boolean;
  readonly subresource: string;
  readonly live: JsonObject | null;
  readonly object: JsonObject;
  readonly result?: JsonObject;
  readonly causes?: readonly string[];
}

const recorded = JSON.parse(readFileSync(new URL('../fixtures/managed-fields.json', import.meta.url), 'utf8')) as {
  readonly schema: Schema;
  readonly cases: readonly RecordedCase[];
};

describe('the field manager', () => {
  it.each(recorded.cases.map((entry, at) => ({ ...entry, at })))(
    'does what that of Kubernetes did in recorded $operation $at',
    ({ result, causes, ...request }) => {
      const answer = answerTo(request);

      expect(answer).toEqual(result ?? causes);
      // The order of the elements counts too: clients compare the text.
      expect(sets(answer)).toBe(sets(result ?? []));
    },
  );
});

function answerTo({
  operation,
  manager,
  force,
  subresource,
  live,
  object,
}: RecordedCase): JsonObject | readonly string[] {
  const now = new Date('2026-06-01T00:00:00Z');
  const before = live ?? undefined;
  try {
    return operation === 'apply'
      ? applyConfiguration(endpoint(subresource), { live: before, applied: object, manager, force, now })
      : recordUpdate(endpoint(subresource), { live: before, updated: object, manager, now });
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    return error.conflicts.map(({ message, field }) => `${message}: ${field}`).toSorted();
  }
}

function endpoint(subresource: string): Endpoint {
  const resetFields = subresource === 'status' ? [['metadata'], ['spec']] : [['status']];
  return { schema: recorded.schema, apiVersion: 'g/v1', kind: 'K', subresource, isBuiltIn: false, resetFields };
}

function sets(answer: JsonObject | readonly string[]): string {
  const entries = (isJsonObject(answer) ? (managedFieldsOf(answer) ?? []) : []) as readonly JsonObject[];
  return JSON.stringify(entries.map((entry) => entry['fieldsV1']));
}

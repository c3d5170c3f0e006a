import type { JsonObject, JsonValue } from '@smalt/json';
import { humanDuration } from '@smalt/kubernetes';
import { goJson, goNumber, type Column } from '@smalt/resource';

import { readJsonPath } from './read-json-path.ts';

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A column as a CustomResourceDefinition declares it. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: Column['type'];
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** Makes a column that shows what a path leads to; a value of another type than that of the column shows as nothing. */
export function printerColumn(declared: PrinterColumn): Column {
  const path = readJsonPath(declared.jsonPath);
  const { name, type, priority = 0 } = declared;
  const description =
    declared.description === undefined || declared.description === ''
      ? `Custom resource definition column (in JSONPath format): ${declared.jsonPath}`
      : declared.description;
  return {
    name,
    type,
    ...(declared.format === undefined ? {} : { format: declared.format }),
    description,
    priority,
    cell: (object: JsonObject, now: Date) => {
      const value = path.first(object);
      return value === undefined ? null : cellOf(value, type, now);
    },
  };
}

function cellOf(value: JsonValue, type: Column['type'], now: Date): string | number | boolean | null {
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return typeof value === 'number' || typeof value === 'bigint' ? Math.trunc(Number(value)) : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
  }
}

function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  return value === null ? '<no value>' : goJson(value);
}

function ageOf(text: string, now: Date): string {
  if (text === '') return '<unknown>';
  return RFC3339.test(text) ? humanDuration(now.getTime() - Date.parse(text)) : '<invalid>';
}

import type { JsonValue } from '@smalt/json';

import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './cel-value.ts';
import { formatDuration, formatTimestamp } from './time-text.ts';

/** The JSON that a value stands for: bytes as base64, times as text, an absent optional as null. */
export function toJson(value: CelValue): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return exactNumber(value);
  if (value instanceof CelList || value instanceof CelMap) return value.toJson();
  if (value instanceof CelUint) return exactNumber(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelOptional) return value.value === undefined ? null : toJson(value.value);
  if (value instanceof CelTypeValue) return value.name;
  return value.toJson();
}

function exactNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

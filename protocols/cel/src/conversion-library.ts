import { checkedInt, checkedUint } from './arithmetic.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, typeOf, UINT } from './cel-type.ts';
import { CelFailure, CelList, CelMap, CelTypeValue, typeNameOf, type CelOutcome, type CelValue } from './cel-value.ts';
import { lengthOf } from './code-points.ts';
import { formatDouble } from './format-double.ts';
import { A, any, bool, bytes, double, duration, int, list, map, text, timestamp, uint } from './kinds.ts';
import { member, plain, type Library } from './overload.ts';
import {
  checkedTimestamp,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  splitTimestamp,
} from './time-text.ts';

export const CONVERSION_LIBRARY: Library = {
  bool: [plain('bool_to_bool', [bool], BOOL, same), plain('string_to_bool', [text], BOOL, textToBool)],
  bytes: [
    plain('bytes_to_bytes', [bytes], BYTES, same),
    plain('string_to_bytes', [text], BYTES, (value) => Buffer.from(value, 'utf8')),
  ],
  double: [
    plain('double_to_double', [double], DOUBLE, same),
    plain('int64_to_double', [int], DOUBLE, Number),
    plain('string_to_double', [text], DOUBLE, textToDouble),
    plain('uint64_to_double', [uint], DOUBLE, ({ value }) => Number(value)),
  ],
  duration: [
    plain('duration_to_duration', [duration], DURATION, same),
    plain('string_to_duration', [text], DURATION, textToDuration),
  ],
  dyn: [plain('to_dyn', [any()], DYN, same)],
  int: [
    plain('int64_to_int64', [int], INT, same),
    plain('double_to_int64', [double], INT, (value) => doubleToInteger(value, checkedInt, 'integer overflow')),
    plain('duration_to_int64', [duration], INT, ({ nanoseconds }) => nanoseconds),
    plain('string_to_int64', [text], INT, (value) => textToInteger(value, 'int', checkedInt)),
    plain('timestamp_to_int64', [timestamp], INT, (value) => splitTimestamp(value).seconds),
    plain('uint64_to_int64', [uint], INT, ({ value }) => checkedInt(value)),
  ],
  string: [
    plain('string_to_string', [text], STRING, same),
    plain('bool_to_string', [bool], STRING, String),
    plain('bytes_to_string', [bytes], STRING, bytesToText),
    plain('double_to_string', [double], STRING, formatDouble),
    plain('duration_to_string', [duration], STRING, formatDuration),
    plain('int64_to_string', [int], STRING, String),
    plain('timestamp_to_string', [timestamp], STRING, formatTimestamp),
    plain('uint64_to_string', [uint], STRING, ({ value }) => String(value)),
  ],
  timestamp: [
    plain('timestamp_to_timestamp', [timestamp], TIMESTAMP, same),
    plain('int64_to_timestamp', [int], TIMESTAMP, secondsToTimestamp),
    plain('string_to_timestamp', [text], TIMESTAMP, textToTimestamp),
  ],
  type: [plain('type', [any()], typeOf(A), (value) => new CelTypeValue(typeNameOf(value)))],
  uint: [
    plain('uint64_to_uint64', [uint], UINT, same),
    plain('double_to_uint64', [double], UINT, (value) =>
      doubleToInteger(value, checkedUint, 'unsigned integer overflow'),
    ),
    plain('int64_to_uint64', [int], UINT, checkedUint),
    plain('string_to_uint64', [text], UINT, (value) => textToInteger(value, 'uint', checkedUint)),
  ],
  size: [
    plain('size_bytes', [bytes], INT, (value) => BigInt(value.length)),
    member('bytes_size', [bytes], INT, (value) => BigInt(value.length)),
    plain('size_list', [list()], INT, (value) => BigInt(value.size)),
    member('list_size', [list()], INT, (value) => BigInt(value.size)),
    plain('size_map', [map()], INT, (value) => BigInt(value.size)),
    member('map_size', [map()], INT, (value) => BigInt(value.size)),
    plain('size_string', [text], INT, (value) => BigInt(lengthOf(value))),
    member('string_size', [text], INT, (value) => BigInt(lengthOf(value))),
  ],
};

/** How large a value counts as: its elements, entries, code points or bytes, and one for all else. */
export function sizeOf(value: CelValue): number {
  if (typeof value === 'string') return lengthOf(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  return value !== null && typeof value === 'object' && 'size' in value ? value.size : 1;
}

function same(value: CelValue): CelOutcome {
  return value;
}

function textToBool(value: string): CelOutcome {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return false;
  return new CelFailure(`type conversion error from 'string' to 'bool'`);
}

function textToDouble(value: string): CelOutcome {
  if (/^[+-]?inf(?:inity)?$/i.test(value)) return value.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(value)) return Number.NaN;
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(value)) {
    return new CelFailure(`type conversion error from 'string' to 'double'`);
  }
  return Number(value);
}

function textToDuration(value: string): CelOutcome {
  return parseDuration(value) ?? new CelFailure(`type conversion error from 'string' to 'google.protobuf.Duration'`);
}

function textToTimestamp(value: string): CelOutcome {
  return parseTimestamp(value) ?? new CelFailure(`type conversion error from 'string' to 'google.protobuf.Timestamp'`);
}

function secondsToTimestamp(seconds: bigint): CelOutcome {
  return checkedTimestamp(seconds * 1_000_000_000n) ?? new CelFailure('timestamp overflow');
}

function doubleToInteger(value: number, checked: (value: bigint) => CelOutcome, overflow: string): CelOutcome {
  return Number.isFinite(value) ? checked(BigInt(Math.trunc(value))) : new CelFailure(overflow);
}

// More digits than this are out of range whatever they are, and long numbers take long to read.
const MAX_DIGITS = 1000;

function textToInteger(value: string, kind: 'int' | 'uint', checked: (value: bigint) => CelOutcome): CelOutcome {
  const shape = kind === 'int' ? /^[+-]?[0-9]+$/ : /^[0-9]+$/;
  const isReadable = value.length <= MAX_DIGITS && shape.test(value);
  const result = isReadable ? checked(BigInt(value.replace(/^\+/, ''))) : undefined;
  if (result !== undefined && !(result instanceof CelFailure)) return result;
  return new CelFailure(`type conversion error from 'string' to '${kind}'`);
}

function bytesToText(value: Uint8Array): CelOutcome {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new CelFailure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

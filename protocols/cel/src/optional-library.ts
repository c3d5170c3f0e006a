import { BOOL, optionalOf, parameter } from './cel-type.ts';
import {
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  NONE,
  type CelValue,
} from './cel-value.ts';
import { any, optional } from './kinds.ts';
import { member, plain, type Library } from './overload.ts';
import { MIN_TIMESTAMP } from './time-text.ts';

const V = parameter('V');

export const OPTIONAL_LIBRARY: Library = {
  'optional.of': [plain('optional_of', [any(V)], optionalOf(V), (value) => new CelOptional(value))],
  'optional.ofNonZeroValue': [
    plain('optional_ofNonZeroValue', [any(V)], optionalOf(V), (value) =>
      isZero(value) ? NONE : new CelOptional(value),
    ),
  ],
  'optional.none': [plain('optional_none', [], optionalOf(V), () => NONE)],
  value: [
    member('optional_value', [optional(V)], V, ({ value }) =>
      value === undefined ? new CelFailure('optional.none() dereference') : value,
    ),
  ],
  hasValue: [member('optional_hasValue', [optional(V)], BOOL, ({ value }) => value !== undefined)],
  or: [
    member('optional_or_optional', [optional(V), optional(V)], optionalOf(V), (first, second) =>
      first.value === undefined ? second : first,
    ),
  ],
  orValue: [
    member('optional_orValue_value', [optional(V), any(V)], V, ({ value }, other) =>
      value === undefined ? other : value,
    ),
  ],
};

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelTimestamp) return value.nanoseconds === MIN_TIMESTAMP;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  return value instanceof CelOptional && value.value === undefined;
}

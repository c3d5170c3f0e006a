import {
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './cel-value.ts';

/** Whether two values are equal. Numbers are compared by value whatever their types; other types are never equal. */
export function areEqual(left: CelValue, right: CelValue): boolean | CelFailure {
  if (left === right) return true;
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right) === 0;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object')
    return mixed(left, right);
  if (left instanceof CelList) return areEqualLists(left, right);
  if (left instanceof CelMap) return areEqualMaps(left, right);
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof CelDuration) return right instanceof CelDuration && left.nanoseconds === right.nanoseconds;
  if (left instanceof CelTimestamp) return right instanceof CelTimestamp && left.nanoseconds === right.nanoseconds;
  if (left instanceof CelTypeValue) return right instanceof CelTypeValue && left.name === right.name;
  if (left instanceof CelOptional) return right instanceof CelOptional && areEqualOptionals(left, right);
  return (
    left instanceof CelOpaque && right instanceof CelOpaque && left.typeName === right.typeName && left.equals(right)
  );
}

/** Orders two values of the same type: negative, zero, positive; undefined where there is no order. */
export function compareValues(left: CelValue, right: CelValue): number | undefined {
  if (isNumeric(left)) return isNumeric(right) ? compareNumbers(left, right) : undefined;
  if (typeof left === 'string') return typeof right === 'string' ? compareTexts(left, right) : undefined;
  if (typeof left === 'boolean') return typeof right === 'boolean' ? Number(left) - Number(right) : undefined;
  if (left instanceof CelDuration && right instanceof CelDuration) return order(left.nanoseconds, right.nanoseconds);
  if (left instanceof CelTimestamp && right instanceof CelTimestamp) return order(left.nanoseconds, right.nanoseconds);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  return undefined;
}

type Numeric = number | bigint | CelUint;

function isNumeric(value: CelValue): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint;
}

function compareNumbers(left: Numeric, right: Numeric): number {
  const first = left instanceof CelUint ? left.value : left;
  const second = right instanceof CelUint ? right.value : right;
  // The language compares bigints and numbers exactly; not-a-number is neither less nor greater.
  if (first < second) return -1;
  if (first > second) return 1;
  return Number.isNaN(first) || Number.isNaN(second) ? Number.NaN : 0;
}

function order(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

// Strings are ordered by code points, which is how their bytes in UTF-8 are ordered.
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const first = left.charCodeAt(index);
    const second = right.charCodeAt(index);
    if (first !== second) return rank(first) - rank(second);
  }
  return left.length - right.length;
}

// Halves of characters beyond the first plane stand above all others, though their codes do not.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function mixed(left: CelValue, right: CelValue): boolean | CelFailure {
  // A value with a schema does not know how to compare itself with one that is no such thing.
  const hasSchema = (left instanceof CelList || left instanceof CelMap) && left.hasSchema;
  return hasSchema && right !== null ? new CelFailure('no such overload') : false;
}

function areEqualLists(left: CelList, right: CelValue): boolean | CelFailure {
  if (!(right instanceof CelList)) return mixed(left, right);
  return left.size === right.size && left.equals(right, areEqual);
}

function areEqualMaps(left: CelMap, right: CelValue): boolean | CelFailure {
  if (!(right instanceof CelMap)) return mixed(left, right);
  return left.size === right.size && left.equals(right, areEqual);
}

function areEqualOptionals(left: CelOptional, right: CelOptional): boolean | CelFailure {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return areEqual(left.value, right.value);
}

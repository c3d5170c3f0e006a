import { ValueList } from './built-values.ts';
import {
  CelDuration,
  CelFailure,
  CelList,
  CelTimestamp,
  CelUint,
  type CelOutcome,
  type CelValue,
} from './cel-value.ts';
import { JsonList } from './json-values.ts';
import { checkedTimestamp } from './time-text.ts';

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;
const NO_OVERLOAD = new CelFailure('no such overload');

/** The int, or a failure where an int64 cannot hold it. */
export function checkedInt(value: bigint): CelOutcome {
  return value > MAX_INT || value < MIN_INT ? new CelFailure('integer overflow') : value;
}

/** The uint, or a failure where a uint64 cannot hold it. */
export function checkedUint(value: bigint): CelOutcome {
  return value > MAX_UINT || value < 0n ? new CelFailure('unsigned integer overflow') : new CelUint(value);
}

function checkedDuration(value: bigint): CelOutcome {
  return value > MAX_INT || value < MIN_INT ? new CelFailure('integer overflow') : new CelDuration(value);
}

function checkedTime(value: bigint, { offsetMinutes }: CelTimestamp): CelOutcome {
  return checkedTimestamp(value, offsetMinutes) ?? new CelFailure('timestamp overflow');
}

export function add(left: CelValue, right: CelValue): CelOutcome {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? checkedInt(left + right) : NO_OVERLOAD;
  if (typeof left === 'string') return typeof right === 'string' ? left + right : NO_OVERLOAD;
  if (typeof left === 'number') return typeof right === 'number' ? left + right : NO_OVERLOAD;
  if (left instanceof CelList) return right instanceof CelList ? concatenate(left, right) : NO_OVERLOAD;
  if (left instanceof CelUint) return right instanceof CelUint ? checkedUint(left.value + right.value) : NO_OVERLOAD;
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? Buffer.concat([left, right]) : NO_OVERLOAD;
  return addTimes(left, right);
}

function addTimes(left: CelValue, right: CelValue): CelOutcome {
  if (left instanceof CelDuration) {
    if (right instanceof CelDuration) return checkedDuration(left.nanoseconds + right.nanoseconds);
    return right instanceof CelTimestamp ? checkedTime(left.nanoseconds + right.nanoseconds, right) : NO_OVERLOAD;
  }
  if (left instanceof CelTimestamp && right instanceof CelDuration)
    return checkedTime(left.nanoseconds + right.nanoseconds, left);
  return NO_OVERLOAD;
}

function concatenate(left: CelList, right: CelList): CelOutcome {
  if (left instanceof JsonList) return left.plus(right);
  const added = elementsOf(right);
  if (added instanceof CelFailure) return added;
  if (left instanceof ValueList && left.append(added)) return left;
  const elements = elementsOf(left);
  return elements instanceof CelFailure ? elements : new ValueList([...elements, ...added]);
}

/** The elements of a list, or the failure of the first that has one. */
export function elementsOf(list: CelList): readonly CelValue[] | CelFailure {
  if (list instanceof ValueList) return list.elements;
  const elements: CelValue[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof CelFailure) return element;
    elements.push(element);
  }
  return elements;
}

export function subtract(left: CelValue, right: CelValue): CelOutcome {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? checkedInt(left - right) : NO_OVERLOAD;
  if (typeof left === 'number') return typeof right === 'number' ? left - right : NO_OVERLOAD;
  if (left instanceof CelUint) return right instanceof CelUint ? checkedUint(left.value - right.value) : NO_OVERLOAD;
  if (left instanceof CelDuration) {
    return right instanceof CelDuration ? checkedDuration(left.nanoseconds - right.nanoseconds) : NO_OVERLOAD;
  }
  if (!(left instanceof CelTimestamp)) return NO_OVERLOAD;
  if (right instanceof CelTimestamp) return checkedDuration(left.nanoseconds - right.nanoseconds);
  return right instanceof CelDuration ? checkedTime(left.nanoseconds - right.nanoseconds, left) : NO_OVERLOAD;
}

export function multiply(left: CelValue, right: CelValue): CelOutcome {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? checkedInt(left * right) : NO_OVERLOAD;
  if (typeof left === 'number') return typeof right === 'number' ? left * right : NO_OVERLOAD;
  if (left instanceof CelUint && right instanceof CelUint) return checkedUint(left.value * right.value);
  return NO_OVERLOAD;
}

export function divide(left: CelValue, right: CelValue): CelOutcome {
  if (typeof left === 'number') return typeof right === 'number' ? left / right : NO_OVERLOAD;
  return divideIntegers(left, right, 'division by zero', (first, second) => first / second);
}

export function modulo(left: CelValue, right: CelValue): CelOutcome {
  return divideIntegers(left, right, 'modulus by zero', (first, second) => first % second);
}

function divideIntegers(
  left: CelValue,
  right: CelValue,
  byZero: string,
  operate: (first: bigint, second: bigint) => bigint,
): CelOutcome {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return right === 0n ? new CelFailure(byZero) : checkedInt(operate(left, right));
  }
  if (!(left instanceof CelUint) || !(right instanceof CelUint)) return NO_OVERLOAD;
  return right.value === 0n ? new CelFailure(byZero) : checkedUint(operate(left.value, right.value));
}

export function negate(value: CelValue): CelOutcome {
  if (typeof value === 'bigint') return checkedInt(-value);
  return typeof value === 'number' ? -value : NO_OVERLOAD;
}

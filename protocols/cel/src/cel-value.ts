import type { JsonValue } from '@smalt/json';

/** What an expression works with. An int is a bigint, a double is a number. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelDuration
  | CelTimestamp
  | CelOptional
  | CelTypeValue
  | CelList
  | CelMap
  | CelOpaque;

/** A value, or why there is none. Failures are values because `||` and `&&` can make up for them. */
export type CelOutcome = CelValue | CelFailure;

export class CelFailure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class CelDuration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A moment, in nanoseconds since 1970, and the offset from UTC in which it was written. */
export class CelTimestamp {
  readonly nanoseconds: bigint;
  readonly offsetMinutes: number;

  constructor(nanoseconds: bigint, offsetMinutes = 0) {
    this.nanoseconds = nanoseconds;
    this.offsetMinutes = offsetMinutes;
  }
}

export class CelOptional {
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value, which is what `type(x)` returns. */
export class CelTypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Compares two values; handed to containers so that they can compare what they hold. */
export type AreEqual = (left: CelValue, right: CelValue) => boolean | CelFailure;

/** A value that only the functions of its library understand. */
export abstract class CelOpaque {
  abstract readonly typeName: string;
  abstract equals(other: CelOpaque): boolean;
  /** How many characters or bytes it counts as when its use is charged. */
  get size(): number {
    return 1;
  }
  toJson(): JsonValue {
    return this.typeName;
  }
}

export abstract class CelList {
  abstract readonly size: number;
  /** Whether it comes from JSON with a schema: such a list cannot be compared with what is no list. */
  readonly hasSchema: boolean = false;
  abstract at(index: number): CelOutcome;
  abstract toJson(): JsonValue;
  /** Compares with a list of the same size. */
  equals(other: CelList, areEqual: AreEqual): boolean | CelFailure {
    for (let index = 0; index < this.size; index++) {
      const result = areEqualOutcomes(this.at(index), other.at(index), areEqual);
      if (result !== true) return result;
    }
    return true;
  }
}

export abstract class CelMap {
  abstract readonly size: number;
  /** Whether it comes from JSON with a schema: such a map cannot be compared with what is no map. */
  readonly hasSchema: boolean = false;
  /** Undefined where there is no such key. */
  abstract find(key: CelValue): CelOutcome | undefined;
  abstract keys(): readonly CelValue[];
  abstract toJson(): JsonValue;
  /** Compares with a map of the same size. */
  equals(other: CelMap, areEqual: AreEqual): boolean | CelFailure {
    for (const key of this.keys()) {
      const mine = this.find(key);
      const theirs = other.find(key);
      if (mine === undefined || theirs === undefined) return false;
      const result = areEqualOutcomes(mine, theirs, areEqual);
      if (result !== true) return result;
    }
    return true;
  }
}

/** Compares what may have failed; the first failure is the result. */
export function areEqualOutcomes(left: CelOutcome, right: CelOutcome, areEqual: AreEqual): boolean | CelFailure {
  if (left instanceof CelFailure) return left;
  if (right instanceof CelFailure) return right;
  return areEqual(left, right);
}

export const NONE: CelOptional = new CelOptional(undefined);

/** The name of the type of a value, as `type(x)` and error messages give it. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  return typeof value === 'string' ? 'string' : objectTypeName(value);
}

function objectTypeName(value: CelValue): string {
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelOpaque) return value.typeName;
  return 'type';
}

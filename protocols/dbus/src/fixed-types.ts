import { DBusError } from './dbus-error.ts';
import type { DBusValue } from './dbus-value.ts';
import type { BasicCode } from './parse-signature.ts';

/** A basic type whose values all have the same size, which is their alignment too. */
export interface FixedType {
  readonly size: 1 | 2 | 4 | 8;
  readonly get: (view: DataView, at: number, isLittle: boolean) => DBusValue;
  /** Whether the value was of the type, and hence written. */
  readonly set: (view: DataView, at: number, value: DBusValue, isLittle: boolean) => boolean;
}

type NumberSetter = (view: DataView, at: number, value: number, isLittle: boolean) => void;

/** All basic types but the texts: `s`, `o` and `g`. */
export const FIXED_TYPES: Readonly<Partial<Record<BasicCode, FixedType>>> = {
  y: {
    size: 1,
    get: (view, at) => view.getUint8(at),
    set: integer(0, 0xff, (view, at, value) => view.setUint8(at, value)),
  },
  b: { size: 4, get: (view, at, isLittle) => toBoolean(view.getUint32(at, isLittle)), set: setBoolean },
  n: {
    size: 2,
    get: (view, at, isLittle) => view.getInt16(at, isLittle),
    set: integer(-(2 ** 15), 2 ** 15 - 1, (view, at, value, isLittle) => view.setInt16(at, value, isLittle)),
  },
  q: {
    size: 2,
    get: (view, at, isLittle) => view.getUint16(at, isLittle),
    set: integer(0, 0xffff, (view, at, value, isLittle) => view.setUint16(at, value, isLittle)),
  },
  i: {
    size: 4,
    get: (view, at, isLittle) => view.getInt32(at, isLittle),
    set: integer(-(2 ** 31), 2 ** 31 - 1, (view, at, value, isLittle) => view.setInt32(at, value, isLittle)),
  },
  u: { size: 4, get: (view, at, isLittle) => view.getUint32(at, isLittle), set: setUint32() },
  x: { size: 8, get: (view, at, isLittle) => view.getBigInt64(at, isLittle), set: setInt64 },
  t: { size: 8, get: (view, at, isLittle) => view.getBigUint64(at, isLittle), set: setUint64 },
  d: { size: 8, get: (view, at, isLittle) => view.getFloat64(at, isLittle), set: setDouble },
  h: { size: 4, get: (view, at, isLittle) => view.getUint32(at, isLittle), set: setUint32() },
};

function integer(least: number, most: number, set: NumberSetter): FixedType['set'] {
  return (view, at, value, isLittle) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) return false;
    set(view, at, value, isLittle);
    return true;
  };
}

function setUint32(): FixedType['set'] {
  return integer(0, 0xffff_ffff, (view, at, value, isLittle) => view.setUint32(at, value, isLittle));
}

function toBoolean(value: number): boolean {
  if (value > 1) throw new DBusError('invalid', `${value} is not a boolean (0 or 1)`);
  return value === 1;
}

function setBoolean(view: DataView, at: number, value: DBusValue, isLittle: boolean): boolean {
  if (typeof value !== 'boolean') return false;
  view.setUint32(at, value ? 1 : 0, isLittle);
  return true;
}

function setInt64(view: DataView, at: number, value: DBusValue, isLittle: boolean): boolean {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return false;
  view.setBigInt64(at, value, isLittle);
  return true;
}

function setUint64(view: DataView, at: number, value: DBusValue, isLittle: boolean): boolean {
  if (typeof value !== 'bigint' || BigInt.asUintN(64, value) !== value) return false;
  view.setBigUint64(at, value, isLittle);
  return true;
}

function setDouble(view: DataView, at: number, value: DBusValue, isLittle: boolean): boolean {
  if (typeof value !== 'number') return false;
  view.setFloat64(at, value, isLittle);
  return true;
}

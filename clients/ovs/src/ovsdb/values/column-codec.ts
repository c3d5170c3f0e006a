import { isJsonArray, type JsonValue } from '@smalt/json';

import { OvsError } from '../../ovs-error.ts';
import { type Atom, decodeAtom, defaultAtom, shown } from './atom-codec.ts';
import type { ColumnShape } from './column-shape.ts';
import type { ColumnType } from './ovsdb-schema.ts';

/** What one column of one row holds. */
export type Cell = Atom | undefined | ReadonlySet<Atom> | ReadonlyMap<Atom, Atom>;

/** Reads the values of one column, and knows what its differences mean. */
export interface ColumnCodec {
  /** What the server leaves out. */
  readonly default: Cell;
  decode(json: JsonValue): Cell;
  /** The value that `modify` of `update2` and `update3` makes of the old one. */
  modify(old: Cell, difference: JsonValue): Cell;
}

/** The codec for a column that is looked at as `shape` and that the server keeps as `type`, which must fit. */
export function columnCodec(shape: ColumnShape, type: ColumnType): ColumnCodec {
  const decode = (json: JsonValue): Cell => decodeCell(shape, json);
  // The server sends differences of what may have several elements; anything else it sends anew.
  const modify = type.max > 1 ? (old: Cell, json: JsonValue): Cell => toggle(old, decode(json)) : anew(decode);
  return { default: defaultCell(shape, type), decode, modify };
}

/** Whether two values of the same column are equal. */
export function isSameCell(a: Cell, b: Cell): boolean {
  if (isSet(a)) return isSet(b) && a.size === b.size && [...a].every((atom) => b.has(atom));
  if (isMap(a)) return isMap(b) && a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
  return a === b;
}

function anew(decode: (json: JsonValue) => Cell): ColumnCodec['modify'] {
  return (_old, json) => decode(json);
}

function defaultCell(shape: ColumnShape, type: ColumnType): Cell {
  const key = defaultAtom(shape.key);
  switch (shape.kind) {
    case 'one':
      return key;
    case 'optional':
      return type.min === 0 ? undefined : key;
    case 'set':
      return new Set(type.min === 0 ? [] : [key]);
    case 'map':
      return new Map(type.min === 0 ? [] : [[key, defaultAtom(shape.value)]]);
  }
}

function decodeCell(shape: ColumnShape, json: JsonValue): Cell {
  switch (shape.kind) {
    case 'one': {
      const atoms = decodeSet(shape, json);
      if (atoms.length === 1) return atoms[0];
      throw new OvsError('protocol', `${shown(json)} is not one ${shape.key}`);
    }
    case 'optional': {
      const atoms = decodeSet(shape, json);
      if (atoms.length <= 1) return atoms[0];
      throw new OvsError('protocol', `${shown(json)} is more than one ${shape.key}`);
    }
    case 'set':
      return new Set(decodeSet(shape, json));
    case 'map':
      return new Map(
        elements(json, 'map').map((pair) => {
          if (!isJsonArray(pair) || pair.length !== 2) throw new OvsError('protocol', `${shown(pair)} is no pair`);
          return [decodeAtom(shape.key, pair[0] ?? null), decodeAtom(shape.value, pair[1] ?? null)];
        }),
      );
  }
}

// A set of one element is sent as the element alone.
function decodeSet(shape: ColumnShape, json: JsonValue): readonly Atom[] {
  if (!isJsonArray(json) || json[0] !== 'set') return [decodeAtom(shape.key, json)];
  return elements(json, 'set').map((element) => decodeAtom(shape.key, element));
}

function elements(json: JsonValue, what: 'set' | 'map'): readonly JsonValue[] {
  const list = isJsonArray(json) && json.length === 2 && json[0] === what ? json[1] : undefined;
  if (isJsonArray(list)) return list;
  throw new OvsError('protocol', `${shown(json)} is no ${what}`);
}

// An element that is there goes, one that is not comes; a key with another value gets the new one.
function toggle(old: Cell, difference: Cell): Cell {
  if (isSet(old) && isSet(difference)) {
    return new Set([...old, ...difference].filter((atom) => !(old.has(atom) && difference.has(atom))));
  }
  if (!isMap(old) || !isMap(difference)) return difference;
  const next = new Map(old);
  for (const [key, value] of difference) {
    if (next.get(key) === value) next.delete(key);
    else next.set(key, value);
  }
  return next;
}

function isSet(cell: Cell): cell is ReadonlySet<Atom> {
  return cell instanceof Set;
}

function isMap(cell: Cell): cell is ReadonlyMap<Atom, Atom> {
  return cell instanceof Map;
}

import { isJsonArray, type JsonValue, printJson } from '@smalt/json';

import { OvsError } from '../../ovs-error.ts';
import type { AtomKind } from './column-kind.ts';

/** A single value as the cache holds it. */
export type Atom = string | bigint | number | boolean;

/** The value that a column has when nobody set it (RFC 7047, section 5.2.1). */
export function defaultAtom(kind: AtomKind): Atom {
  switch (kind) {
    case 'string':
      return '';
    case 'integer':
      return 0n;
    case 'real':
      return 0;
    case 'boolean':
      return false;
    case 'reference':
      return '00000000-0000-0000-0000-000000000000';
  }
}

/** Reads a single value as OVSDB writes it. */
export function decodeAtom(kind: AtomKind, json: JsonValue): Atom {
  switch (kind) {
    case 'string':
      if (typeof json === 'string') return json;
      break;
    case 'integer':
      if (typeof json === 'bigint') return json;
      if (typeof json === 'number' && Number.isSafeInteger(json)) return BigInt(json);
      break;
    case 'real':
      if (typeof json === 'number' || typeof json === 'bigint') return Number(json);
      break;
    case 'boolean':
      if (typeof json === 'boolean') return json;
      break;
    case 'reference':
      if (isJsonArray(json) && json.length === 2 && json[0] === 'uuid' && typeof json[1] === 'string') return json[1];
  }
  throw new OvsError('protocol', `${shown(json)} is no ${kind}`);
}

/** The beginning of a value, for a message. */
export function shown(json: JsonValue): string {
  return printJson(json).slice(0, 80);
}

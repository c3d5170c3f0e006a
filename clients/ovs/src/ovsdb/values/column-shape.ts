import { OvsError } from '../../ovs-error.ts';
import type { AtomKind, ColumnKind } from './column-kind.ts';
import type { ColumnType } from './ovsdb-schema.ts';

/** A kind of column, taken apart. */
export type ColumnShape =
  | { readonly kind: 'one' | 'optional' | 'set'; readonly key: AtomKind }
  | { readonly kind: 'map'; readonly key: AtomKind; readonly value: AtomKind };

const ATOM = 'string|integer|real|boolean|reference';
const KIND = new RegExp(`^(?:(${ATOM})(s?)|optional-(${ATOM})|map-(${ATOM})-(${ATOM}))$`);

/** Takes a kind apart. One that does not exist is an `invalid-argument`. */
export function columnShape(kind: ColumnKind): ColumnShape {
  if (kind === 'map') return { kind: 'map', key: 'string', value: 'string' };
  const [, atom, plural, optional, key, value] = KIND.exec(kind) ?? [];
  if (isAtomKind(atom)) return { kind: plural === 's' ? 'set' : 'one', key: atom };
  if (isAtomKind(optional)) return { kind: 'optional', key: optional };
  if (isAtomKind(key) && isAtomKind(value)) return { kind: 'map', key, value };
  throw new OvsError('invalid-argument', `${JSON.stringify(kind)} is no kind of column`);
}

/** Whether every value of the type can be told as that shape. */
export function fitsType(shape: ColumnShape, type: ColumnType): boolean {
  if (shape.key !== type.key) return false;
  switch (shape.kind) {
    case 'one':
      return type.value === undefined && type.min === 1 && type.max === 1;
    case 'optional':
      return type.value === undefined && type.max === 1;
    case 'set':
      return type.value === undefined;
    case 'map':
      return type.value === shape.value;
  }
}

function isAtomKind(text: string | undefined): text is AtomKind {
  return text === 'string' || text === 'integer' || text === 'real' || text === 'boolean' || text === 'reference';
}

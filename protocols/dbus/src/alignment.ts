import type { BasicCode, DBusType } from './parse-signature.ts';

const BASIC: Readonly<Record<BasicCode, 1 | 2 | 4 | 8>> = {
  y: 1,
  b: 4,
  n: 2,
  q: 2,
  i: 4,
  u: 4,
  x: 8,
  t: 8,
  d: 8,
  s: 4,
  o: 4,
  g: 1,
  h: 4,
};

/** The number of bytes at a multiple of which a value of this type begins. */
export function alignmentOf(type: DBusType): 1 | 2 | 4 | 8 {
  switch (type.kind) {
    case 'basic':
      return BASIC[type.code];
    case 'variant':
      return 1;
    case 'bytes':
    case 'array':
    case 'dictionary':
      return 4;
    case 'struct':
      return 8;
  }
}

/** The bytes from `at` to the next multiple of `alignment`. */
export function paddingAt(at: number, alignment: number): number {
  return (alignment - (at % alignment)) % alignment;
}

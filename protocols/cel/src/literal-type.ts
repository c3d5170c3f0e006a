import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT, type CelType } from './cel-type.ts';
import { CelUint, type CelValue } from './cel-value.ts';

/** The type of a value that is written out in an expression. */
export function literalType(value: CelValue): CelType {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint') return INT;
  if (typeof value === 'number') return DOUBLE;
  if (typeof value === 'string') return STRING;
  return value instanceof CelUint ? UINT : BYTES;
}

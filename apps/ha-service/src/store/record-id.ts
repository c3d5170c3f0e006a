import { StoreError } from '@smalt/store';

const DIGITS = 16;

/** The number of a row as others see it: text that sorts as the numbers do. */
export function recordId(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

/** The number of a row; refuses what is not one of our ids. */
export function recordNumber(id: string): number {
  if (/^\d{1,16}$/.test(id)) return Number(id);
  throw new StoreError('invalid-value', `"${id}" is not the id of an entry: use one that was read before`);
}

import { StoreError } from './store-error.ts';

/** Refuses what does not come back as it went in: PostgreSQL takes no NUL, and SQLite's JSON ends a text there. */
export function checkText(value: unknown): void {
  if (typeof value !== 'string' || !value.includes('\0')) return;
  throw new StoreError('invalid-value', 'A text with a NUL character cannot be stored');
}

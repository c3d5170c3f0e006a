import { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts';

const PRIMARY_CODE = 0xff;
const UNIQUE_CODES = new Set([1555, 2067]);

// https://www.sqlite.org/rescode.html
const CODES: Readonly<Record<number, StoreErrorCode>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'unreachable',
  11: 'corrupt',
  13: 'full-disk',
  14: 'unreachable',
  18: 'invalid-value',
  19: 'invalid-value',
  20: 'invalid-value',
  26: 'corrupt',
};

/** The same error in our words. Errors that are not of SQLite stay as they are. */
export function sqliteError(error: unknown, path: string): unknown {
  if (isStoreError(error) || !(error instanceof Error)) return error;
  if ('errcode' in error && typeof error.errcode === 'number') {
    const code = UNIQUE_CODES.has(error.errcode) ? 'duplicate' : CODES[error.errcode & PRIMARY_CODE];
    return new StoreError(code ?? 'failed', `The database ${path}: ${error.message}`, { cause: error });
  }
  if ('syscall' in error && 'code' in error) {
    const code = error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'full-disk' : 'unreachable';
    return new StoreError(code, `The database ${path}: ${error.message}`, { cause: error });
  }
  return error;
}

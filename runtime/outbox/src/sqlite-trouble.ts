import { isOutboxError } from './outbox-error.ts';

const DAMAGED = new Set([11, 26]);
const LOCKED = new Set([5, 6]);
const PRIMARY_CODE = 0xff;

/** What is behind an error of SQLite: another process, a file that makes no sense, or a disk that cannot be written. */
export type SqliteTrouble = 'locked' | 'damaged' | 'unwritable';

/** Tells what an error of SQLite means for the file; nothing when it is not one of the file. */
export function sqliteTrouble(error: unknown): SqliteTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isOutboxError(error, 'damaged')) return 'damaged';
  if ('errcode' in error && typeof error.errcode === 'number') {
    const code = error.errcode & PRIMARY_CODE;
    if (LOCKED.has(code)) return 'locked';
    return DAMAGED.has(code) ? 'damaged' : 'unwritable';
  }
  return 'syscall' in error ? 'unwritable' : undefined;
}

import { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const STATES: Readonly<Record<string, StoreErrorCode>> = {
  '23505': 'duplicate',
  '25006': 'read-only',
  '25P03': 'timeout',
  '3D000': 'refused',
  '40001': 'conflict',
  '40P01': 'conflict',
  '42501': 'refused',
  '53100': 'full-disk',
  '53300': 'unreachable',
  '55P03': 'timeout',
  '57014': 'timeout',
  '58030': 'unreachable',
};
const CLASSES: Readonly<Record<string, StoreErrorCode>> = {
  '08': 'unreachable',
  '22': 'invalid-value',
  '23': 'invalid-value',
  '28': 'refused',
  '53': 'failed',
  '57': 'unreachable',
  XX: 'corrupt',
};

/** The same error in our words; the details of a row are left out. What is not of a server is a lost connection. */
export function postgresError(error: unknown, place: string): unknown {
  if (isStoreError(error) || !(error instanceof Error)) return error;
  const state = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Only the server's own words have a severity.
  if (!('severity' in error)) {
    const isTimeout = /timeout/i.test(error.message) && state === '';
    return new StoreError(isTimeout ? 'timeout' : 'unreachable', `The database ${place}: ${wordsOf(error)}`, {
      cause: error,
    });
  }
  const code = STATES[state] ?? CLASSES[state.slice(0, 2)] ?? 'failed';
  return new StoreError(code, `The database ${place}: ${error.message} (${state})`, { cause: error });
}

function wordsOf(error: Error): string {
  // A host name with several addresses fails with one error for each of them.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(String).join('; ');
  return error.message;
}

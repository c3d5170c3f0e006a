/** The code of an error that says that no connection came about in time, so that nothing can have been done. */
export const CONNECT_TIMEOUT = 'CONNECT_TIMEOUT';

/** The server took too long; the code tells for what. */
export function timeoutError(text: string, code: string): Error {
  return Object.assign(new Error(text), { name: 'TimeoutError', code });
}

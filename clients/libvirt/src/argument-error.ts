import { isXdrError, XdrError } from '@smalt/xdr';

/** The error for an argument that cannot be sent, saying which one of which call it is. */
export function argumentError(procedure: string, argument: string, cause: unknown): XdrError {
  if (isXdrError(cause))
    return new XdrError(cause.code, `${procedure}: argument '${argument}': ${cause.message}`, { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `${procedure}: argument '${argument}' is missing or has the wrong type: ${reason}`;
  return new XdrError('invalid', message, { cause });
}

import { isXdrError, XdrError } from '@smalt/xdr';

/** The error for an argument that cannot be sent, saying which one of which call it is. */
export function argumentError(procedure: string, argument: string, cause: unknown): XdrError {
  const code = isXdrError(cause) ? cause.code : 'invalid';
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new XdrError(code, `${procedure}: argument '${argument}': ${reason}`, { cause });
}

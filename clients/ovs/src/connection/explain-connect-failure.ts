import { OvsError } from '../ovs-error.ts';

const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the daemon running?',
  ENOENT: 'the socket does not exist; is the daemon running, or is its run directory another?',
  EACCES: 'this user may not use the socket',
  EPERM: 'this user may not use the socket',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the host does not answer',
  ENOTFOUND: 'the host name has no address',
  EAI_AGAIN: 'the name server does not answer',
};

/** Turns what the operating system or TLS said into an error that names the remote and the next step. */
export function explainConnectFailure(remote: string, cause: unknown): OvsError {
  if (cause instanceof OvsError) return cause;
  const code = codeOf(cause);
  const hint = HINTS[code] ?? textOf(cause);
  return new OvsError('unreachable', `cannot connect to ${remote}: ${hint}${code === '' ? '' : ` (${code})`}`, {
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

// Node reports several addresses of one name as an AggregateError with an empty message.
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

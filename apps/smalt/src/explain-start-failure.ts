import { printAddress, type Address } from './parse-address.ts';
import { SmaltError } from './smalt-error.ts';

/** Where a server was to run, and the flag that says where it listens. */
export interface StartPlace {
  readonly dataDirectory: string;
  readonly listen: Address;
  readonly flag?: string;
}

/** Puts why a server did not start into words that say what to do; whatever it does not know is passed on as it is. */
export function explainStartFailure(error: unknown, { dataDirectory, listen, flag = '--listen' }: StartPlace): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  const address = printAddress(listen);
  const explain = (text: string): SmaltError => new SmaltError('start-failed', text, { cause });
  switch (codeOf(cause)) {
    case 'EADDRINUSE':
      return explain(`${address} is in use by another program: give another address or port with ${flag}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return explain(`${address} is no address of this machine: give one that is with ${flag}`);
    case 'locked':
      return explain(`another server runs on ${dataDirectory}: stop it, or give another directory with --data`);
    case 'foreign':
    case 'newer':
    case 'damaged':
    case 'damaged-identity':
    case 'unreachable':
      return explain(cause.message);
    case 'EACCES':
    case 'EPERM':
      return isOfListening(cause)
        ? explain(`${address} may not be listened on by this user: give another port with ${flag}`)
        : explain(`${dataDirectory} cannot be used by this user: ${cause.message}`);
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOSPC':
      return explain(`${dataDirectory} cannot be used: ${cause.message}`);
    case undefined:
    default:
      return cause;
  }
}

function isOfListening(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'listen';
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

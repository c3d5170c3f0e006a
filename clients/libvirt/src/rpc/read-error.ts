import type { XdrReader } from '@smalt/xdr';

import { daemonErrorCodes } from '../daemon-error-codes.ts';
import { errorDomains } from '../error-domains.ts';
import { LibvirtError, type DaemonErrorCode, type LibvirtErrorLevel } from '../libvirt-error.ts';
import type { Procedure } from '../procedure.ts';
import { STRING_MAX } from '../wire-string.ts';

/** What a daemon reports when it does not serve a call at all: one it does not know, or of a client it does not know. */
export const RPC_ERROR = 39;
const UUID_BYTES = 16;
const levels: readonly LibvirtErrorLevel[] = ['none', 'warning', 'error'];
const codes: Readonly<Record<number, DaemonErrorCode>> = daemonErrorCodes;

type CalledProcedure = Pick<Procedure<never, unknown>, 'name' | 'number'>;

/** Reads the error a daemon sent in place of a result. Throws an XdrError when the bytes are not one. */
export function readRemoteError(reader: XdrReader, procedure?: CalledProcedure): LibvirtError {
  const number = reader.int32();
  const domain = reader.int32();
  const message = readOptionalString(reader);
  const level = reader.int32();
  skipDetails(reader);
  reader.end();

  const isUnknown = number === RPC_ERROR && procedure !== undefined && endsWithNumber(message ?? '', procedure.number);
  const code = isUnknown ? 'unsupported' : (codes[number] ?? 'unknown');
  return new LibvirtError(code, message ?? `libvirt reported error ${number} without a text`, {
    number,
    domain: errorDomains[domain] ?? String(domain),
    level: levels[level] ?? 'error',
    procedure: procedure?.name,
  });
}

// A daemon that is too old for a call says so with a general error and a text in its own language: `unknown procedure:
// 77`. In every language the number is at the end.
function endsWithNumber(message: string, number: number): boolean {
  const digits = String(number);
  return message.endsWith(digits) && !/\d/.test(message.charAt(message.length - digits.length - 1));
}

function skipDetails(reader: XdrReader): void {
  if (reader.bool()) {
    reader.string(STRING_MAX);
    reader.fixedOpaque(UUID_BYTES);
    reader.int32();
  }
  for (let text = 0; text < 3; text++) readOptionalString(reader);
  reader.int32();
  reader.int32();
  if (reader.bool()) {
    reader.string(STRING_MAX);
    reader.fixedOpaque(UUID_BYTES);
  }
}

function readOptionalString(reader: XdrReader): string | undefined {
  return reader.bool() ? reader.string(STRING_MAX) : undefined;
}

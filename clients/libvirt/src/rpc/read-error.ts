import type { XdrReader } from '@smalt/xdr';

import { daemonErrorCodes } from '../daemon-error-codes.ts';
import { errorDomains } from '../error-domains.ts';
import { LibvirtError, type DaemonErrorCode, type LibvirtErrorLevel } from '../libvirt-error.ts';

const MAX_STRING_BYTES = 4_194_304;
const UUID_BYTES = 16;
const RPC_ERROR = 39;
const levels: readonly LibvirtErrorLevel[] = ['none', 'warning', 'error'];
const codes: Readonly<Record<number, DaemonErrorCode>> = daemonErrorCodes;

/** Reads the error a daemon sent in place of a result. Throws an XdrError when the bytes are not one. */
export function readRemoteError(reader: XdrReader, procedure?: string): LibvirtError {
  const number = reader.int32();
  const domain = reader.int32();
  const message = readOptionalString(reader);
  const level = reader.int32();
  skipDetails(reader);
  reader.end();

  return new LibvirtError(errorCode(number, message), message ?? `libvirt reported error ${number} without a text`, {
    number,
    domain: errorDomains[domain] ?? String(domain),
    level: levels[level] ?? 'error',
    procedure,
  });
}

// A daemon that is too old for a call says so with a general RPC error, a driver without it with a proper number.
function errorCode(number: number, message: string | undefined): DaemonErrorCode {
  if (number === RPC_ERROR && message?.startsWith('unknown procedure')) return 'unsupported';
  return codes[number] ?? 'unknown';
}

function skipDetails(reader: XdrReader): void {
  if (reader.bool()) {
    reader.string(MAX_STRING_BYTES);
    reader.fixedOpaque(UUID_BYTES);
    reader.int32();
  }
  for (let text = 0; text < 3; text++) readOptionalString(reader);
  reader.int32();
  reader.int32();
  if (reader.bool()) {
    reader.string(MAX_STRING_BYTES);
    reader.fixedOpaque(UUID_BYTES);
  }
}

function readOptionalString(reader: XdrReader): string | undefined {
  return reader.bool() ? reader.string(MAX_STRING_BYTES) : undefined;
}

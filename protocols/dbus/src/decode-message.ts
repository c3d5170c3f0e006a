import { checkHeader } from './check-header.ts';
import { DBusError } from './dbus-error.ts';
import { isVariant, type DBusValue } from './dbus-value.ts';
import {
  BIG_MARK,
  HEADER_FIELDS,
  HEADER_SIGNATURES,
  KIND_BYTES,
  LITTLE_MARK,
  NO_AUTO_START,
  NO_REPLY,
  type DBusMessage,
  type MessageKind,
} from './message.ts';
import { DBusReader, type Endian } from './reader.ts';

/** The byte order that a message's first byte stands for. */
export function endianOf(mark: number | undefined): Endian {
  if (mark === LITTLE_MARK) return 'little';
  if (mark === BIG_MARK) return 'big';
  throw new DBusError('invalid', `a message cannot begin with the byte ${String(mark)}`);
}

/**
 * The message that these bytes, no more and no less, are. Nothing for a kind that is not known, which the specification
 * wants ignored.
 */
export function decodeMessage(bytes: Uint8Array): DBusMessage | undefined {
  const reader = new DBusReader(bytes, endianOf(bytes[0]));
  const [, kindByte, flags, version, , serial, fields] = reader.values('yyyyuua(yv)');
  if (version !== 1) throw new DBusError('invalid', `version ${Number(version)} of the protocol`);
  const kind = kindOf(kindByte);
  const header = headerOf(fields);
  reader.align(8);
  if (!kind) return undefined;
  const signature = header.get('signature');
  const body = reader.values(typeof signature === 'string' ? signature : '');
  reader.end();
  const message: DBusMessage = {
    kind,
    serial: Number(serial),
    ...Object.fromEntries(header),
    body,
    noReply: (Number(flags) & NO_REPLY) !== 0,
    noAutoStart: (Number(flags) & NO_AUTO_START) !== 0,
  };
  checkHeader(message);
  return message;
}

function kindOf(byte: DBusValue | undefined): MessageKind | undefined {
  if (byte === 0) throw new DBusError('invalid', 'a message of the kind 0');
  for (const kind of ['call', 'return', 'error', 'signal'] as const) if (KIND_BYTES[kind] === byte) return kind;
  return undefined;
}

/** The fields by name; those with other numbers are of a newer protocol and to be ignored. */
function headerOf(fields: DBusValue | undefined): ReadonlyMap<string, DBusValue> {
  const header = new Map<string, DBusValue>();
  if (!Array.isArray(fields)) return header;
  for (const field of fields) {
    const [code, variant] = Array.isArray(field) ? field : [];
    const known = KNOWN_FIELDS.get(code);
    if (known === undefined) continue;
    if (!isVariant(variant) || variant.signature !== known.signature) {
      throw new DBusError('invalid', `the header field ${known.name} is not of the type ${known.signature}`);
    }
    header.set(known.name, variant.value);
  }
  return header;
}

const KNOWN_FIELDS: ReadonlyMap<unknown, { readonly name: string; readonly signature: string }> = new Map(
  Object.entries(HEADER_SIGNATURES).map(([name, signature]) => [
    Object.entries(HEADER_FIELDS).find(([each]) => each === name)?.[1],
    { name, signature },
  ]),
);

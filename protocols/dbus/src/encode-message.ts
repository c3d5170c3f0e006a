import { checkHeader } from './check-header.ts';
import { DBusError } from './dbus-error.ts';
import type { DBusValue } from './dbus-value.ts';
import {
  BIG_MARK,
  HEADER_FIELDS,
  HEADER_SIGNATURES,
  KIND_BYTES,
  LITTLE_MARK,
  MAX_MESSAGE_BYTES,
  NO_AUTO_START,
  NO_REPLY,
  type DBusMessage,
  type HeaderField,
} from './message.ts';
import type { Endian } from './reader.ts';
import { DBusWriter } from './writer.ts';

const VERSION = 1;
const BODY_LENGTH_AT = 4;

/** The bytes of a message. Refuses one that lacks what its kind needs, and values that do not fit their signature. */
export function encodeMessage(message: DBusMessage, endian: Endian = 'little'): Buffer {
  checkHeader(message);
  const writer = new DBusWriter(endian);
  const flags = (message.noReply === true ? NO_REPLY : 0) | (message.noAutoStart === true ? NO_AUTO_START : 0);
  const mark = endian === 'little' ? LITTLE_MARK : BIG_MARK;
  writer.values('yyyyuua(yv)', [
    mark,
    KIND_BYTES[message.kind],
    flags,
    VERSION,
    0,
    message.serial,
    headerFields(message),
  ]);
  // The header is padded even when no body follows.
  writer.align(8);
  const start = writer.length;
  writer.values(message.signature ?? '', message.body ?? []);
  if (writer.length > MAX_MESSAGE_BYTES) throw new DBusError('too-long', `a message of ${writer.length} bytes`);
  writer.patchUint32(BODY_LENGTH_AT, writer.length - start);
  return writer.take();
}

function headerFields(message: DBusMessage): readonly DBusValue[] {
  const fields: DBusValue[] = [];
  for (const [name, code] of Object.entries(HEADER_FIELDS)) {
    if (!isHeaderField(name)) continue;
    const value = message[name];
    if (value === undefined || value === '') continue;
    fields.push([code, { signature: HEADER_SIGNATURES[name], value }]);
  }
  return fields;
}

function isHeaderField(name: string): name is HeaderField {
  return name in HEADER_FIELDS;
}

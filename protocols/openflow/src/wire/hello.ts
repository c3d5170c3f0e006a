import { OpenFlowError } from '../openflow-error.ts';
import { Cursor } from './cursor.ts';
import { encodeMessage, MessageType, type Message } from './message.ts';

const VERSION_BITMAP = 1;

/** The greeting that offers these versions. */
export function encodeHello(versions: readonly number[]): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt16BE(VERSION_BITMAP, 0);
  body.writeUInt16BE(8, 2);
  body.writeUInt32BE(
    versions.reduce((bits, version) => bits | (1 << version), 0),
    4,
  );
  return encodeMessage({ version: Math.max(...versions), type: MessageType.hello, transaction: 0 }, body);
}

/** The versions that a greeting offers: those of its bitmap, or all up to that of its header where it has none. */
export function readHello(message: Message): readonly number[] {
  const cursor = new Cursor(message.body);
  while (cursor.remaining >= 4) {
    const type = cursor.uint16();
    const length = cursor.uint16();
    if (length < 4) throw new OpenFlowError('malformed', `an element of HELLO says that it has ${length} bytes`);
    const element = cursor.bytes(length - 4);
    if (type === VERSION_BITMAP && element.length >= 4) return versionsOf(element.readUInt32BE(0));
    cursor.skip(Math.min(cursor.remaining, (8 - (length % 8)) % 8));
  }
  return Array.from({ length: message.version }, (_, index) => index + 1);
}

function versionsOf(bits: number): readonly number[] {
  return Array.from({ length: 32 }, (_, version) => version).filter((version) => ((bits >>> version) & 1) === 1);
}

import { XdrWriter } from '@smalt/xdr';

import { messageStatus, messageType, PROGRAM_VERSION, remoteProgram, type MessageHeader } from '../rpc/message.ts';

export interface MessageParts extends Partial<MessageHeader> {
  readonly version?: number;
  /** Claimed instead of the true length. */
  readonly length?: number;
  readonly payload?: Uint8Array | ((writer: XdrWriter) => void);
}

/** The bytes of one message, right or deliberately wrong. Without more said: an empty reply of the remote program. */
export function buildMessage(parts: MessageParts): Buffer {
  const writer = new XdrWriter();
  writer.uint32(0);
  writer.uint32(parts.program ?? remoteProgram);
  writer.uint32(parts.version ?? PROGRAM_VERSION);
  writer.int32(parts.procedure ?? 0);
  writer.uint32(parts.type ?? messageType.reply);
  writer.uint32(parts.serial ?? 0);
  writer.uint32(parts.status ?? messageStatus.ok);
  if (typeof parts.payload === 'function') parts.payload(writer);
  const payload = parts.payload instanceof Uint8Array ? parts.payload : new Uint8Array(0);
  writer.patchUint32(0, parts.length ?? writer.length + payload.length);
  return Buffer.concat([writer.take(), payload]);
}

/** The payload of an error as a daemon sends it. */
export function errorPayload(code: number, message: string, domain: number = 10): (writer: XdrWriter) => void {
  return (writer) => {
    writer.int32(code);
    writer.int32(domain);
    writer.bool(true);
    writer.string(message);
    writer.int32(2);
    writer.bool(false);
    for (let text = 0; text < 3; text++) writer.bool(false);
    writer.int32(0);
    writer.int32(0);
    writer.bool(false);
  };
}

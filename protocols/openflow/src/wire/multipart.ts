import { Cursor } from './cursor.ts';
import { encodeMessage, MessageType, type Message } from './message.ts';

/** What can be asked for in parts. */
export const MultipartType = {
  flow: 1,
  aggregate: 2,
  table: 3,
  port: 4,
  portDescription: 13,
} as const;

export interface MultipartRequest {
  readonly version: number;
  readonly transaction: number;
  readonly type: number;
}

/** A question whose answer may come in several messages. */
export function encodeMultipartRequest(request: MultipartRequest, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(8 + body.length);
  bytes.writeUInt16BE(request.type, 0);
  bytes.set(body, 8);
  return encodeMessage(
    { version: request.version, type: MessageType.multipartRequest, transaction: request.transaction },
    bytes,
  );
}

/** One message of an answer that comes in parts. */
export interface MultipartReply {
  readonly type: number;
  readonly hasMore: boolean;
  readonly body: Buffer;
}

/** Reads the head of one part. */
export function readMultipartReply(message: Message): MultipartReply {
  const cursor = new Cursor(message.body);
  const type = cursor.uint16();
  const hasMore = (cursor.uint16() & 1) === 1;
  return { type, hasMore, body: cursor.skip(4).rest() };
}

import { OpenFlowError } from '../openflow-error.ts';

export const HEADER_BYTES = 8;

/** The types of messages that matter here; they are the same in every version since 1.1. */
export const MessageType = {
  hello: 0,
  error: 1,
  echoRequest: 2,
  echoReply: 3,
  featuresRequest: 5,
  featuresReply: 6,
  multipartRequest: 18,
  multipartReply: 19,
} as const;

/** One message as it came: the header read, the body not. */
export interface Message {
  readonly version: number;
  readonly type: number;
  /** The number that pairs an answer with its question. */
  readonly transaction: number;
  readonly body: Buffer;
}

const NO_BODY: Buffer = Buffer.alloc(0);

/** One whole message, ready to be sent. */
export function encodeMessage(head: Omit<Message, 'body'>, body: Uint8Array = NO_BODY): Buffer {
  const length = HEADER_BYTES + body.length;
  if (length > 0xffff) throw new OpenFlowError('malformed', `a message of ${length} bytes cannot be sent`);
  const bytes = Buffer.alloc(length);
  bytes.writeUInt8(head.version, 0);
  bytes.writeUInt8(head.type, 1);
  bytes.writeUInt16BE(length, 2);
  bytes.writeUInt32BE(head.transaction, 4);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

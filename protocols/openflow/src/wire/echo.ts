import { encodeMessage, type Message, MessageType } from './message.ts';

/** The answer to the other side's question whether we live. */
export function encodeEchoReply(request: Message): Buffer {
  const { version, transaction, body } = request;
  return encodeMessage({ version, type: MessageType.echoReply, transaction }, body);
}

import type { StreamHole } from '../libvirt-stream.ts';
import { messageStatus, messageType } from '../rpc/message.ts';
import { buildMessage, type MessageParts } from './build-message.ts';
import type { FakeCall } from './fake-daemon.ts';

/** Confirms that a stream has been finished or aborted. */
export function confirmStream(call: FakeCall): void {
  sendPacket(call, { type: messageType.stream, status: messageStatus.ok });
}

/** Sends data on the stream that the call opened. No data at all is how a daemon says that it has sent all. */
export function sendData(call: FakeCall, bytes: Uint8Array | string): void {
  const payload = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  sendPacket(call, { type: messageType.stream, status: messageStatus.continue, payload });
}

/** Sends any packet on the stream that the call opened. */
export function sendPacket(call: FakeCall, parts: MessageParts): void {
  call.socket.write(buildMessage({ ...call.header, ...parts }));
}

/** What was read from a stream, as text. */
export function textOf(item: Uint8Array | StreamHole): string {
  return item instanceof Uint8Array ? Buffer.from(item).toString() : `hole of ${item.hole}`;
}

/** The payload of a packet that stands for so many zeroes. */
export function holePayload(length: bigint): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeBigInt64BE(length);
  return bytes;
}

import type { Readable } from 'node:stream';

import { DevicePluginError } from '../device-plugin-error.ts';

/** What gRPC puts before a message: whether it is compressed, and its length. */
const HEADER_BYTES = 5;
/** As much as gRPC takes by default. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A message as it goes over the wire. */
export function writeFrame(message: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Reads the only message of a body; undefined if it has none. Throws `bad-message` for whatever else comes. */
export async function readOnlyFrame(body: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    total += chunk.length;
    if (total > MAX_BYTES + HEADER_BYTES) throw bad(`a message is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return undefined;
  if (bytes.length < HEADER_BYTES) throw bad('a message ends before it begins');
  if (bytes[0] !== 0) throw bad('a message is compressed, which nobody offered');
  const message = bytes.subarray(HEADER_BYTES);
  const length = bytes.readUInt32BE(1);
  if (message.length === length) return message;
  throw bad(`a message of ${message.length} bytes says that it has ${length}`);
}

function bad(text: string): DevicePluginError {
  return new DevicePluginError('bad-message', text);
}

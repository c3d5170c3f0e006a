const MAGIC = 0x1b302a40;
const VERSION = 1;
const LENGTH = 8;

/**
 * Whether a datagram is the one that `fence_kdump_send` repeats while a kernel dump is written: a magic number and a
 * version, in the byte order of the sender.
 */
export function isKdumpMessage(message: Buffer): boolean {
  if (message.length !== LENGTH) return false;
  return (
    (message.readUInt32LE(0) === MAGIC && message.readUInt32LE(4) === VERSION) ||
    (message.readUInt32BE(0) === MAGIC && message.readUInt32BE(4) === VERSION)
  );
}

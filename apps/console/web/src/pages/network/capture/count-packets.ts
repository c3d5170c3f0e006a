/** How far a capture was looked through: packets so far, and what of the next one is still to come. */
export interface PacketCount {
  readonly packets: number;
  /** The bytes of a head that has not come as a whole. */
  readonly rest: Uint8Array;
  /** The bytes of the body of the last packet that are still to come. */
  readonly skip: number;
  /** Undefined until the head of the file was there. */
  readonly isLittleEndian: boolean | undefined;
}

export const NO_PACKETS: PacketCount = { packets: 0, rest: new Uint8Array(), skip: 0, isLittleEndian: undefined };

const FILE_HEAD = 24;
const PACKET_HEAD = 16;
/** Where a packet says how many bytes of it were kept. */
const KEPT_AT = 8;

/** Counts the packets of the next bytes of a pcap file, wherever it was cut. */
export function countPackets(before: PacketCount, chunk: Uint8Array): PacketCount {
  const bytes = joined(before.rest, chunk);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let { packets, isLittleEndian, skip: at } = before;
  if (isLittleEndian === undefined) {
    if (bytes.length < FILE_HEAD) return { ...before, rest: bytes };
    isLittleEndian = [0xa1b2c3d4, 0xa1b23c4d].includes(view.getUint32(0, true));
    at = FILE_HEAD;
  }
  while (at + PACKET_HEAD <= bytes.length) {
    at += PACKET_HEAD + view.getUint32(at + KEPT_AT, isLittleEndian);
    packets++;
  }
  const isWithinBody = at >= bytes.length;
  return {
    packets,
    isLittleEndian,
    rest: isWithinBody ? new Uint8Array() : bytes.slice(at),
    skip: isWithinBody ? at - bytes.length : 0,
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

import type { LibvirtStream } from './libvirt-stream.ts';

const ZERO_BYTES = 262_144;

/**
 * The bytes of a stream with the zeroes of its holes written out, for whoever knows nothing of holes:
 * `Readable.from(fillHoles(stream))` for Node, `ReadableStream.from(fillHoles(stream))` for the web.
 */
export async function* fillHoles(stream: LibvirtStream): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const item of stream) {
    if (item instanceof Uint8Array) {
      yield item;
      continue;
    }
    for (let left = item.hole; left > 0n; left -= BigInt(ZERO_BYTES)) {
      yield new Uint8Array(left < BigInt(ZERO_BYTES) ? Number(left) : ZERO_BYTES);
    }
  }
}

import { fillHoles } from './fill-holes.ts';
import { LibvirtError } from './libvirt-error.ts';
import type { LibvirtStream } from './libvirt-stream.ts';

const DEFAULT_MAX_BYTES = 67_108_864;

/** All bytes of a stream that fits into memory, a screenshot for example. Aborts one that is longer than `maxBytes`. */
export async function readWholeStream(stream: LibvirtStream, maxBytes: number = DEFAULT_MAX_BYTES): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of fillHoles(stream)) {
    bytes += part.length;
    if (bytes > maxBytes) throw new LibvirtError('overflow', `maxBytes: the stream is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

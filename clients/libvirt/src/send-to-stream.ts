import type { LibvirtStream, StreamHole } from './libvirt-stream.ts';

/**
 * Sends everything a source has, no faster than the daemon takes it, and resolves when the daemon has confirmed it.
 * When the source fails the stream is aborted, so that the daemon does not take a part for the whole. A Node or web
 * stream of bytes is a source.
 */
export async function sendToStream(
  stream: LibvirtStream,
  source: AsyncIterable<Uint8Array | StreamHole> | Iterable<Uint8Array | StreamHole>,
): Promise<void> {
  try {
    for await (const item of source) {
      if (item instanceof Uint8Array) await stream.write(item);
      else await stream.writeHole(item.hole);
    }
    await stream.finish();
  } catch (error) {
    await stream.abort();
    throw error;
  }
}

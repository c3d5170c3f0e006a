import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The content of a regular file of at most so many bytes; undefined for anything else. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  // The path has no links in it any more; without O_NONBLOCK a pipe would hold the handler for ever.
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (!found.isFile() || found.size > maxBytes) return undefined;
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length <= maxBytes) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return undefined;
}

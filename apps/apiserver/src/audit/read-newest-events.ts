import { open } from 'node:fs/promises';

import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';

/** Enough for the deeds of a day, and read in a few milliseconds. */
const TAIL_BYTES = 2 * 1024 * 1024;

/** The audit events at the end of a file, the oldest first; none where there is no such file. */
export async function readNewestEvents(path: string, tailBytes: number = TAIL_BYTES): Promise<readonly JsonObject[]> {
  const text = await readTail(path, tailBytes);
  return text.split('\n').flatMap((line) => {
    const event = line === '' ? undefined : parsed(line);
    return event === undefined ? [] : [event];
  });
}

async function readTail(path: string, tailBytes: number): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const from = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    const text = buffer.toString('utf8', 0, bytesRead);
    // The first line is only the end of one, unless the file begins there.
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

// A server that was killed leaves half a line behind.
function parsed(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

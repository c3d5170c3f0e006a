import { open, stat } from 'node:fs/promises';

const MAX_BYTES = 65_536;

export interface TailOptions {
  readonly maxLines: number;
  /** Where in the file to begin, in bytes. */
  readonly from?: number | undefined;
}

/** The last lines of a file, or nothing when there is no such file. */
export async function readTail(path: string, { maxLines, from = 0 }: TailOptions): Promise<string> {
  const file = await open(path, 'r').catch(undefinedIfMissing);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - MAX_BYTES, 0);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    const { bytesRead } = await file.read({ buffer, position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
    return lines.slice(-maxLines).join('\n');
  } finally {
    await file.close();
  }
}

/** The sizes of files; 0 for one that is missing. */
export async function fileSizes(paths: readonly string[]): Promise<readonly number[]> {
  return Promise.all(paths.map(async (path) => (await stat(path).catch(undefinedIfMissing))?.size ?? 0));
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

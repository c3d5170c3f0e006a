import { readFile } from 'node:fs/promises';

import type { ProcessMark } from './process-mark.ts';

/** Who a detached libvirtd is, as it wrote down itself before it became one. */
export interface DaemonRecord extends ProcessMark {
  readonly uri: string;
}

/** Where the record of a directory's daemon lies. */
export function recordPathIn(directory: string): string {
  return `${directory}/daemon.json`;
}

/** The record in a directory; undefined where there is none, or one that a power loss damaged. */
export async function readDaemonRecord(directory: string): Promise<DaemonRecord | undefined> {
  try {
    return parseDaemonRecord(await readFile(recordPathIn(directory), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export function parseDaemonRecord(text: string): DaemonRecord | undefined {
  const value = parseObject(text);
  const { pid, startTicks, bootId, uri } = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 2) return undefined;
  if (typeof startTicks !== 'string' || typeof bootId !== 'string' || typeof uri !== 'string') return undefined;
  return { pid, startTicks, bootId, uri };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

import { readFile } from 'node:fs/promises';

import { parseObject } from './parse-object.ts';
import { parseProcessMark, type ProcessMark } from './process-mark.ts';

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
  const mark = parseProcessMark(text);
  const { uri } = parseObject(text);
  return mark !== undefined && typeof uri === 'string' ? { ...mark, uri } : undefined;
}

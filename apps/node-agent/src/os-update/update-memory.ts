import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';

const FILE = 'os-update.json';

/** What the agent must still know of an update after a restart. */
export interface UpdateMemory {
  /** The version that the tries are counted for; empty while none is wanted. */
  readonly version: string;
  readonly triesLeft: number;
  /** The boot in which a try was begun whose end nobody has seen yet. */
  readonly begunInBoot?: string | undefined;
  readonly failure?: UpdateFailure | undefined;
  readonly installed?: string | undefined;
  /** The boot in which it was installed: as long as that lasts, the installed version does not run. */
  readonly installedInBoot?: string | undefined;
}

interface UpdateFailure {
  readonly message: string;
  /** In milliseconds since 1970. */
  readonly atMs: number;
}

/** Reads what was kept; a file that is missing or damaged counts as nothing kept. */
export async function readMemory(directory: string): Promise<UpdateMemory | undefined> {
  const text = await readFile(join(directory, FILE), 'utf8').catch(() => '');
  try {
    const value: unknown = JSON.parse(text);
    return isMemory(value) ? value : undefined;
  } catch {
    return undefined; // Half a file says nothing; the tries start over.
  }
}

/** Keeps it for after a restart or a loss of power. */
export async function writeMemory(directory: string, memory: UpdateMemory): Promise<void> {
  await writeFileSafely(join(directory, FILE), JSON.stringify(memory));
}

function isMemory(value: unknown): value is UpdateMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { version, triesLeft, begunInBoot, failure, installed, installedInBoot }: Record<string, unknown> = {
    ...value,
  };
  return (
    typeof version === 'string' &&
    Number.isInteger(triesLeft) &&
    [begunInBoot, installed, installedInBoot].every((each) => each === undefined || typeof each === 'string') &&
    (failure === undefined || isFailure(failure))
  );
}

function isFailure(value: unknown): value is UpdateFailure {
  return (
    typeof value === 'object' &&
    value !== null &&
    'message' in value &&
    typeof value.message === 'string' &&
    'atMs' in value &&
    typeof value.atMs === 'number'
  );
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';
import { parseProcessors, printProcessors } from '@smalt/pod-sandbox';

import { PodRunnerError } from '../pod-runner-error.ts';

/** Which processors belong to which pod, by its uid. */
export type OwnProcessors = ReadonlyMap<string, readonly number[]>;

/** Called as kubelets call it, so that whoever asks whether a node has a static CPU manager asks the same way. */
const FILE = 'cpu_manager_state';
const CONTAINER = 'compute';

export interface ManagerState {
  readonly policy: 'static' | 'none';
  readonly shared: readonly number[];
  readonly own: OwnProcessors;
}

/** Writes the state, all of it or nothing. */
export async function writeManagerState(directory: string, { policy, shared, own }: ManagerState): Promise<void> {
  const entries = Object.fromEntries([...own].map(([uid, list]) => [uid, { [CONTAINER]: printProcessors(list) }]));
  const text = JSON.stringify({ policyName: policy, defaultCpuSet: printProcessors(shared), entries });
  await writeFileSafely(join(directory, FILE), `${text}\n`, { mode: 0o644 });
}

/** What an earlier runner has given away; nothing where none has. Throws `bad-state`. */
export async function readOwnProcessors(directory: string): Promise<OwnProcessors> {
  const path = join(directory, FILE);
  const text = await readFile(path, 'utf8').catch(emptyIfMissing);
  if (text === undefined) return new Map();
  try {
    const { entries = {} }: { readonly entries?: unknown } = Object(JSON.parse(text));
    return new Map(Object.entries(Object(entries)).map(([uid, lists]) => [uid, listOf(lists)]));
  } catch (cause) {
    // To guess would be to give a processor to two guests.
    const message = `${path} makes no sense: end the machines of this node that have processors of their own, and remove it`;
    throw new PodRunnerError('bad-state', message, { cause });
  }
}

function listOf(lists: unknown): readonly number[] {
  const text = String(Object(lists)[CONTAINER]);
  if (!/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/u.test(text)) throw new TypeError(`"${text}" is no list of processors`);
  return parseProcessors(text);
}

function emptyIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

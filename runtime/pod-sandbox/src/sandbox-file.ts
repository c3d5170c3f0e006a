import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';

import { isPodUid } from './kubelet/container-cgroup-paths.ts';
import { parseSandbox } from './parse-sandbox.ts';
import type { PodSandbox } from './pod-sandbox.ts';

const FILE = 'sandbox.json';
const LOG = 'compute.log';

/** Where all of a pod lies on the node. */
export function podDirectory(podsDirectory: string, podUid: string): string {
  return join(podsDirectory, podUid);
}

/** The file that takes what the launcher of a pod prints. */
export function launcherLogFile(directory: string): string {
  return join(directory, LOG);
}

/** Writes the sandbox into the directory of its pod, all of it or nothing. */
export async function writeSandbox(podsDirectory: string, sandbox: PodSandbox): Promise<void> {
  const directory = podDirectory(podsDirectory, sandbox.podUid);
  await mkdir(directory, { recursive: true, mode: 0o711 });
  await writeFileSafely(join(directory, FILE), `${JSON.stringify(sandbox)}\n`);
}

/** The sandbox of a pod; undefined where the pod has none, and for what is no uid. Throws `invalid-sandbox` for one that makes no sense. */
export async function readSandbox(podsDirectory: string, podUid: string): Promise<PodSandbox | undefined> {
  if (!isPodUid(podUid)) return undefined;
  const path = join(podDirectory(podsDirectory, podUid), FILE);
  const text = await readFile(path, 'utf8').catch(undefinedIfMissing);
  return text === undefined ? undefined : parseSandbox(text, { path, podUid });
}

function undefinedIfMissing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}

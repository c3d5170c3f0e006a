import { join } from 'node:path';

import { readIfThere } from '@smalt/files';

import { PodSandboxError } from '../pod-sandbox-error.ts';
import { findProcess, type SandboxProcess } from '../process/sandbox-process.ts';

/**
 * The first process of a container, by its cgroup; undefined when it has none, or no longer. Others that were brought into
 * the container, such as those of probes, are not it.
 */
export async function findContainerProcess(directory: string, path: string): Promise<SandboxProcess | undefined> {
  for (const processId of await processIdsIn(directory)) {
    const found = await findProcess(processId);
    if (found === undefined || !(await isFirst(processId))) continue;
    // Another one may have got the number since: whoever has it now must be in that cgroup.
    const isInside = await isIn(processId, path);
    if (isInside && (await findProcess(processId))?.startTicks === found.startTicks) return found;
  }
  return undefined;
}

/** Whether a process is the first one in a pid namespace of its own, by the text of its `status`. */
export function isFirstInNamespace(status: string): boolean {
  const ids = /^NSpid:\s*(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/) ?? [];
  return ids.length > 1 && ids.at(-1) === '1';
}

async function processIdsIn(directory: string): Promise<readonly number[]> {
  const text = await readIfThere(join(directory, 'cgroup.procs'));
  const ids = text
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
  if (!ids.includes(0)) return ids;
  const message = 'the processes of pods cannot be seen from here: run virt-handler with the pid namespace of the node';
  throw new PodSandboxError('not-permitted', `${message} (hostPID)`);
}

async function isFirst(processId: number): Promise<boolean> {
  return isFirstInNamespace(await readIfThere(`/proc/${processId}/status`));
}

async function isIn(processId: number, path: string): Promise<boolean> {
  const lines = (await readIfThere(`/proc/${processId}/cgroup`)).split('\n');
  return lines.some((line) => line.endsWith(path));
}

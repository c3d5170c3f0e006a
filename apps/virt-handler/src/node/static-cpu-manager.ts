import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a kubelet keeps its state. */
export const KUBELET_DIRECTORY = '/var/lib/kubelet';

/** Whether somebody who keeps state in one of these directories gives pods processors to themselves. */
export async function hasStaticCpuManager(directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    const text = await readFile(join(directory, 'cpu_manager_state'), 'utf8').catch(() => '');
    if (/"policyName"\s*:\s*"static"/u.test(text)) return true;
  }
  return false;
}

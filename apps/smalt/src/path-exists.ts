import { access } from 'node:fs/promises';

/** Whether there is something at a path that this process may see. */
export async function pathExists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

import { readFile } from 'node:fs/promises';

/** Whether the kernel lets threads run in real time for as long as they like, as guests in real time need it. */
export async function isRealtime(file: string = '/proc/sys/kernel/sched_rt_runtime_us'): Promise<boolean> {
  return (await readFile(file, 'utf8').catch(() => '')).trim() === '-1';
}

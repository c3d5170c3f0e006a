import { readdir, readFile } from 'node:fs/promises';

/** The processor time of a process, of all threads it has, in seconds; exact to the microsecond or so. */
export async function readProcessCpu(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(threads.map((thread) => threadNanoseconds(pid, thread)));
  return times.reduce((sum, time) => sum + time, 0) / 1e9;
}

/** The processor time of its first thread alone, in seconds: what a daemon with one main loop does there. */
export async function readMainThreadCpu(pid: number): Promise<number> {
  return (await threadNanoseconds(pid, String(pid))) / 1e9;
}

async function threadNanoseconds(pid: number, thread: string): Promise<number> {
  // Counted by the scheduler, where `stat` has ticks of 10 ms. The first of three numbers is the time on a processor.
  const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
  return Number(text.split(' ')[0]);
}

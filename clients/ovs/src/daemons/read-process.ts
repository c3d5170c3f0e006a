import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The kernel cuts the name of a program off here. */
const LONGEST_NAME = 15;
const UNSEEN: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/** Whether that process lives and runs the program, or a variant of it such as `ovs-vswitchd-dpdk`. */
export async function isProgram(proc: string, processId: number, program: string): Promise<boolean> {
  const [status, command] = await Promise.all([
    read(join(proc, String(processId), 'status')),
    read(join(proc, String(processId), 'cmdline')),
  ]);
  if (status === undefined || command === undefined) return false;
  const name = lineOf(status, 'Name');
  const state = lineOf(status, 'State');
  // A process that ended but was not collected keeps its number.
  if (state?.startsWith('Z') === true || state?.startsWith('X') === true) return false;
  const isNamed =
    name === program.slice(0, LONGEST_NAME) || name?.startsWith(`${program}-`.slice(0, LONGEST_NAME)) === true;
  return isNamed || isVariant(basename(command.split('\0')[0] ?? ''), program);
}

/** The process that runs the program and has this number in a namespace of its own, if it can be seen from here. */
export async function findInNamespace(proc: string, innerId: number, program: string): Promise<number | undefined> {
  const entries = await readdir(proc);
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue;
    const numbers = lineOf((await read(join(proc, entry, 'status'))) ?? '', 'NSpid')?.split(/\s+/) ?? [];
    const isInner = numbers.length > 1 && Number(numbers.at(-1)) === innerId;
    if (isInner && (await isProgram(proc, Number(entry), program))) return Number(entry);
  }
  return undefined;
}

function isVariant(name: string, program: string): boolean {
  return name === program || name.startsWith(`${program}-`);
}

function lineOf(text: string, name: string): string | undefined {
  return text
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim();
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // Processes come and go while they are looked at, and those of others may be hidden (hidepid).
    if (error instanceof Error && 'code' in error && UNSEEN.has(error.code)) return undefined;
    throw error;
  }
}

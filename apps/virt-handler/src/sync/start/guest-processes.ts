import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Hypervisor } from '@smalt/hypervisors';
import type { Domain } from '@smalt/libvirt';

import { VirtHandlerError } from '../../virt-handler-error.ts';

export interface GuestProcessQuery {
  readonly hypervisor: Hypervisor;
  /** Where the pid files of guests are seen from here. */
  readonly pidDirectory: string | undefined;
  readonly domain: Pick<Domain, 'name' | 'uuid'>;
}

/**
 * The process of a guest that runs; none where guests are no processes. A daemon in a pid namespace of its own writes
 * other numbers than are seen here, so a process counts only if its words name the domain and if the pid file that it
 * sees is the very file that is seen here.
 */
export async function findGuestProcesses(query: GuestProcessQuery): Promise<readonly number[]> {
  const { hypervisor, pidDirectory, domain } = query;
  const inside = hypervisor.libvirt.pidDirectory;
  if (pidDirectory === undefined || inside === undefined) return [];
  const name = `${domain.name}.pid`;
  const file = await identityOf(join(pidDirectory, name));
  const written = Number((await readOrEmpty(join(pidDirectory, name))).trim());
  const isGuest = async (processId: number): Promise<boolean> => {
    if (!namesDomain(await readOrEmpty(`/proc/${processId}/cmdline`), query)) return false;
    return file !== undefined && (await identityOf(join(`/proc/${processId}/root`, inside, name))) === file;
  };
  if (Number.isSafeInteger(written) && written > 1 && (await isGuest(written))) return [written];
  for (const entry of await readdir('/proc')) {
    const processId = Number(entry);
    if (Number.isSafeInteger(processId) && (await isGuest(processId))) return [processId];
  }
  const message = `the process of the guest ${domain.name} is not found by ${join(pidDirectory, name)}; set the pid directory of the driver ${hypervisor.name}`;
  throw new VirtHandlerError('start-failed', message);
}

/** Whether the words of a process, as the kernel shows them, are those of the guest of a domain. */
export function namesDomain(words: string, { hypervisor, domain }: GuestProcessQuery): boolean {
  const [program = '', ...rest] = words.split('\0');
  const isProgram = hypervisor.libvirt.commandPrefixes.some((prefix) => program.split('/').at(-1)?.startsWith(prefix));
  if (!isProgram) return false;
  const valueAfter = (flag: string): string | undefined => rest[rest.indexOf(flag) + 1];
  if (rest.includes('-uuid')) return valueAfter('-uuid') === domain.uuid;
  return rest.includes('--name') && valueAfter('--name') === domain.name;
}

async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

async function readOrEmpty(path: string): Promise<string> {
  // Processes end while they are looked at.
  return await readFile(path, 'utf8').catch(() => '');
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PodSandbox } from '@smalt/pod-sandbox';

import { unless } from '../storage/files/file-error.ts';

/** By what names the devices of a resource are told to a container, in the order in which they are looked for. */
const PREFIXES = ['PCI_RESOURCE_', 'MDEV_PCI_RESOURCE_', 'PCIDEVICE_'];

/** The name of the variable by which a device plugin tells a container of its devices. */
export function variableOf(prefix: string, resource: string): string {
  return `${prefix}${resource.toUpperCase().replaceAll(/[/.-]/gu, '_')}`;
}

/** The ids that a kubelet has given to the launcher of a pod under that name; undefined where no kubelet has. */
export async function givenDevices(
  { launcher }: PodSandbox,
  resource: string,
  proc = '/proc',
): Promise<readonly string[] | undefined> {
  if (launcher === undefined) return undefined;
  const file = join(proc, String(launcher.processId), 'environ');
  // A launcher that has ended was given nothing. Whatever else fails says nothing of what it was given.
  const text = await readFile(file, 'utf8').catch(unless('ENOENT', 'ESRCH'));
  return devicesIn(text ?? '', resource);
}

/** The same of an environment as the kernel shows it. */
export function devicesIn(environment: string, resource: string): readonly string[] | undefined {
  const variables = new Map(environment.split('\0').map((line) => [nameOf(line), line.slice(nameOf(line).length + 1)]));
  const value = PREFIXES.map((prefix) => variables.get(variableOf(prefix, resource))).find(
    (each) => each !== undefined,
  );
  return value?.split(',').filter((id) => id !== '');
}

function nameOf(line: string): string {
  return line.slice(0, Math.max(0, line.indexOf('=')));
}

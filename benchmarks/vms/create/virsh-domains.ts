import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BenchmarkError } from '../../src/benchmark-error.ts';
import { virsh } from '../cluster/host-programs.ts';
import type { VmNode } from '../cluster/vm-node.ts';

/** The same domains for virsh: their XML as libvirt has it, with sockets elsewhere, for ours go with their instances. */
export interface VirshDomains {
  readonly names: readonly string[];
  readonly files: readonly string[];
}

/** Copies what libvirt has of running instances. */
export async function dumpDomains(node: VmNode, names: readonly string[], signal: AbortSignal): Promise<VirshDomains> {
  const texts = (
    await virsh(
      node.host,
      names.map((name) => `dumpxml --inactive ${name}`),
      signal,
    )
  ).split(/(?<=<\/domain>)\s*/u);
  const folder = join(node.directory, 'xml');
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const [index, name] of names.entries()) {
    const text = texts[index] ?? '';
    const sockets = /path='(?<directory>[^']*\/vh\/instances\/[^'/]+\/sockets)\//u.exec(text)?.groups?.['directory'];
    if (sockets === undefined) throw new BenchmarkError('unequal-work', `${name} has no sockets in its XML: ${text}`);
    await makeSockets(node, elsewhere(sockets));
    const file = join(folder, `${name}.xml`);
    await writeFile(file, unmarked(elsewhere(text)));
    files.push(file);
  }
  return { names: names.map((name) => name.replace('default_', '')), files };
}

/** How long virsh takes to create all of them, by so many processes at a time, in milliseconds. */
export async function createByVirsh(
  node: VmNode,
  { files, names }: VirshDomains,
  processes: number,
  signal: AbortSignal,
): Promise<number> {
  const shares = Array.from({ length: processes }, (_, own) =>
    files.filter((_file, index) => index % processes === own),
  );
  const began = performance.now();
  const commands = shares.map((share) => share.map((file) => `create ${file}`));
  await Promise.all(commands.map((each) => virsh(node.host, each, signal)));
  const took = performance.now() - began;
  const running = (await virsh(node.host, ['list --name --state-running'], signal)).split('\n').filter(Boolean);
  if (running.length !== names.length) {
    throw new BenchmarkError('unequal-work', `virsh runs ${running.length} domains instead of ${names.length}`);
  }
  return took;
}

/** Ends them again. They are transient, so nothing stays. */
export async function destroyByVirsh({ host }: VmNode, { names }: VirshDomains, signal: AbortSignal): Promise<void> {
  await virsh(
    host,
    names.map((name) => `destroy ${name}`),
    signal,
  );
}

function elsewhere(text: string): string {
  return text.replaceAll('/vh/instances/', '/own/instances/');
}

/** A handler ends whatever is marked as its own and has no instance; what has another name it does not even look at. */
function unmarked(text: string): string {
  return text.replace(/<metadata>[^]*<\/metadata>/u, '').replace('<name>default_', '<name>');
}

async function makeSockets({ host }: VmNode, directory: string): Promise<void> {
  await host.exec(['install', '--directory', '--owner=libvirt-qemu', '--group=kvm', '--mode=0750', directory]);
}

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClusterNode } from '@smalt/bed-kubernetes';

const ACCOUNT = 'libvirt-qemu';
/** The id that Debian reserves for it. */
const ACCOUNT_ID = 64_055;
const FILES: Readonly<Record<string, string>> = {
  'etc/libvirt/libvirtd.conf': [
    'auth_unix_rw = "none"',
    'unix_sock_rw_perms = "0700"',
    'log_outputs = "3:file:/var/log/libvirt/libvirtd.log"',
  ].join('\n'),
  'etc/libvirt/qemu.conf': [`user = "${ACCOUNT}"`, `group = "${ACCOUNT}"`, 'stdio_handler = "file"'].join('\n'),
};

/** Starts the libvirt of a node of the cluster, as its operating system would; guests run as their own account. */
export async function startNodeLibvirt(node: ClusterNode, signal: AbortSignal): Promise<void> {
  for (const path of ['etc/libvirt', 'run/libvirt', 'var/lib/libvirt', 'var/log/libvirt']) {
    await mkdir(join(node.root, path), { recursive: true });
  }
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(node.root, path), `${text}\n`);
  await lend(node, 'passwd', `${ACCOUNT}:x:${ACCOUNT_ID}:${ACCOUNT_ID}::/var/lib/libvirt:/usr/sbin/nologin`);
  await lend(node, 'group', `${ACCOUNT}:x:${ACCOUNT_ID}:`);
  const libvirtd = await node.start('libvirtd', ['libvirtd']);
  const answers = (): Promise<boolean> =>
    node.run(['virsh', '--connect', 'qemu:///system', 'version']).then(
      () => true,
      () => false,
    );
  await libvirtd.whenReady(answers, signal);
}

/** Machines without libvirt's packages do not have its account. */
async function lend(node: ClusterNode, file: 'passwd' | 'group', line: string): Promise<void> {
  const path = join(node.root, 'etc', file);
  const text = await readFile(path, 'utf8');
  if (!text.split('\n').some((each) => each.startsWith(`${ACCOUNT}:`))) await writeFile(path, `${text}${line}\n`);
}

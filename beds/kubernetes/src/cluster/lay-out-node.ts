import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, statfs, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { kubeconfigText } from '../control-plane/kubeconfig.ts';
import { makeIdentity } from '../control-plane/make-identity.ts';
import type { Keys } from '../control-plane/make-keys.ts';
import {
  containerdConfig,
  KERNEL_SETTINGS,
  kubeletConfig,
  networkConfig,
  proxyConfig,
  SETTINGS,
  type NodeSettings,
} from './node-settings.ts';

const DIRECTORIES = [
  'etc/cni/net.d',
  'etc/kubernetes',
  'old',
  'proc',
  'root',
  'run',
  'sys',
  'dev',
  'usr',
  'tmp',
  'var/lib/containerd',
  'var/lib/kubelet',
  'var/lib/libvirt',
  'var/lib/smalt',
  'var/log/pods',
  'var/tmp',
] as const;
const OVERLAY = 0x794c7630;

/** Makes the root of a node, with the directories of a Debian, and what its kernel settings shall look like. */
export async function layOutNode(directory: string): Promise<void> {
  const root = join(directory, 'root');
  for (const path of DIRECTORIES) await mkdir(join(root, path), { recursive: true });
  await symlink('/run', join(root, 'var/run'));
  await writeFile(join(root, 'etc/machine-id'), `${randomUUID().replaceAll('-', '')}\n`);
  // There is no way out, so there is nobody to ask.
  await writeFile(join(root, 'etc/resolv.conf'), '');
  const boot = { 'kernel/random/boot_id': randomUUID() };
  for (const [path, value] of Object.entries({ ...KERNEL_SETTINGS, ...boot })) {
    const file = join(directory, 'sysctl', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${value}\n`);
  }
}

/** The way to lay out images: on top of an overlay there can be no other. */
export async function snapshotterFor(directory: string): Promise<string> {
  return (await statfs(directory)).type === OVERLAY ? 'native' : 'overlayfs';
}

/** How a node reaches the API. */
export interface NodeAccess {
  readonly url: string;
  readonly authority: Buffer;
  readonly keys: Keys;
}

/** Writes what the daemons of a node are told, and by what they prove who they are. */
export async function writeNodeSettings(root: string, settings: NodeSettings, access: NodeAccess): Promise<void> {
  const { url, authority, keys } = access;
  const user = `system:node:${settings.name}`;
  const identity = await makeIdentity(keys.directory, settings.name, { user, group: 'system:nodes' });
  const credentials = { certificatePath: `${SETTINGS}/kubelet.crt`, keyPath: `${SETTINGS}/kubelet.key` };
  await copyFile(identity.certificatePath, join(root, credentials.certificatePath));
  await copyFile(identity.keyPath, join(root, credentials.keyPath));
  const files: Readonly<Record<string, string | Buffer>> = {
    [`${SETTINGS}/ca.crt`]: authority,
    [`${SETTINGS}/kubelet.kubeconfig`]: kubeconfigText(url, authority, credentials),
    [`${SETTINGS}/proxy.kubeconfig`]: kubeconfigText(url, authority, { token: keys.tokens.proxy }),
    [`${SETTINGS}/kubelet.json`]: kubeletConfig(settings),
    [`${SETTINGS}/proxy.json`]: proxyConfig(settings),
    [`${SETTINGS}/containerd.toml`]: containerdConfig(settings),
    '/etc/cni/net.d/10-bed.conflist': networkConfig(settings),
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(root, path), content, { mode: 0o600 });
}

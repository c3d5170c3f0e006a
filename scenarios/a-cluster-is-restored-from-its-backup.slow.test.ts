import { execFile, spawnSync } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findHelm, findKubernetes, installDefinitions, startKubernetes, type Kubernetes } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { readVmDefinitions, virtualMachineKind, type VirtualMachine } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { PageReader } from './installation/page-reader.ts';

const programs = findKubernetes();
const helm = findHelm();
const hasEtcdctl = spawnSync('etcdctl', ['version']).status === 0;
const run = promisify(execFile);
const MACHINE = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'kept', namespace: 'default' },
  spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} } } } },
} as const;

it.skipIf(programs === undefined || helm === undefined || !hasEtcdctl)(
  'a machine that was deleted after the backup is there again (needs npm run bed:kubernetes -- --build, and Debian package etcd-client)',
  { timeout: 300_000 },
  async () => {
    if (programs === undefined || helm === undefined) return;
    const signal = AbortSignal.timeout(240_000);
    await using stack = new AsyncDisposableStack();
    const { path: directory } = stack.use(await mkdtempDisposable(join(tmpdir(), 'restored-')));
    const before = await startKubernetes(programs, signal, { isDurable: false });
    let kept: VirtualMachine;
    try {
      kept = await backUp(before, directory, helm, signal);
    } finally {
      await before[Symbol.asyncDispose]();
    }

    const data = join(directory, 'restored');
    await restore(join(directory, 'etcd.db'), data);
    const after = stack.use(await startKubernetes(programs, signal, { isDurable: false, data }));

    const machines = (await connect(stack, after)).resource(virtualMachineKind);
    const found = await machines.get('kept', { namespace: 'default' });
    expect([found.metadata.uid, found.spec]).toEqual([kept.metadata.uid, kept.spec]);
    // And it can be written.
    await machines.create({ ...MACHINE, metadata: { name: 'next', namespace: 'default' } });
  },
);

/** Makes a machine, copies etcd by the page, and deletes the machine. */
async function backUp(
  server: Kubernetes,
  directory: string,
  helmPath: string,
  signal: AbortSignal,
): Promise<VirtualMachine> {
  await using stack = new AsyncDisposableStack();
  const admin = await connect(stack, server);
  await installDefinitions(admin, await readVmDefinitions(), signal);
  const machines = admin.resource(virtualMachineKind);
  const kept = await machines.create(MACHINE);
  const names = {
    '/backup/': `${directory}/`,
    'https://127.0.0.1:2379': server.etcdUrl,
    // It is on loopback, and has no certificates.
    ' --cacert CA --cert CERT --key KEY': '',
  };
  const place = { story: 'from a backup', directory, kubeconfig: server.kubeconfig, helm: helmPath, names } as const;
  const reader = await PageReader.sitDown(place);
  await reader.follow('backup.md', 'etcdctl snapshot save');
  expect(reader.left).toEqual([]);
  await machines.delete('kept', { namespace: 'default' });
  return kept;
}

/** By the program for that, or, in an etcd of before 3.5, by the one that also asks. */
async function restore(file: string, data: string): Promise<void> {
  const words = ['snapshot', 'restore', file, '--data-dir', data];
  const isNew = spawnSync('etcdutl', ['version']).status === 0;
  const forward = ['--bump-revision', '1000000000', '--mark-compacted'];
  if (isNew) await run('etcdutl', [...words, ...forward]);
  else await run('etcdctl', words, { env: { ETCDCTL_API: '3', PATH: '/usr/bin:/bin' } });
}

async function connect(stack: AsyncDisposableStack, { kubeconfig }: Kubernetes): Promise<KubeClient> {
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  return stack.use(new KubeClient({ config, userAgent: 'admin/1' }));
}

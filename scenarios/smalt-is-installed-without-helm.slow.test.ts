import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { findHelm, findKubernetes, startKubernetes, type Kubernetes } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readPageBlocks } from './installation/page-blocks.ts';
import { PageReader } from './installation/page-reader.ts';

const programs = findKubernetes();
const helm = findHelm();
const run = promisify(execFile);
const owned = new AsyncDisposableStack();
const REPOSITORY = resolve(import.meta.dirname, '..');
const WORKLOADS = ['deployments,daemonsets', '-A', '-l', 'app.kubernetes.io/part-of=smalt'];
const KEPT = [
  'namespace/smalt-libvirt',
  'namespace/smalt-smoke-tests',
  'persistentvolumeclaim/smalt-ha-service',
  'configmap/smalt-console-signed-out',
];
const NEXT_IMAGES = ['smalt-ha-service', 'smalt-handler', 'smalt-node-agent', 'smalt'].map(
  (name) => `registry.example/smalt/${name}:next`,
);
const HYPERVISOR = { 'node-role.kubernetes.io/hypervisor': '' };
let server: Kubernetes;
let reader: PageReader;

describe.skipIf(programs === undefined || helm === undefined)(
  'Smalt by the plain manifests (needs npm run bed:kubernetes -- --build)',
  { timeout: 300_000 },
  () => {
    beforeAll(async () => {
      if (programs === undefined || helm === undefined) return;
      const options = { controllers: true, isDurable: false };
      server = owned.use(await startKubernetes(programs, AbortSignal.timeout(200_000), options));
      const { path: directory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'manifests-')));
      const { kubeconfig } = server;
      const names = { $tag: 'next' };
      reader = await PageReader.sitDown({ story: 'without Helm', directory, kubeconfig, helm, names });
    }, 240_000);
    afterAll(() => owned.disposeAsync(), 60_000);

    it('is installed', async () => {
      await reader.follow('install.md', 'kubectl apply --server-side -f deploy/smalt.yaml');

      expect(await get(...WORKLOADS)).toContain('deployment.apps/virt-controller\n');
      expect(await get('crds', '-l', 'app.kubernetes.io/part-of=smalt')).toContain('/virtualmachines.kubevirt.io\n');
    });

    it('is upgraded to images with another tag', async () => {
      const differences = await reader.follow('upgrade.md', 'kubectl diff');
      const told = await reader.follow('upgrade.md', 'deploy/smalt.yaml | kubectl apply');

      expect(differences).toBe('');
      expect(told).toContain('daemonset.apps/virt-handler serverside-applied');
      expect(await imagesOf('deployments,daemonsets')).toEqual(NEXT_IMAGES);
      const settings = await kubectl('get', 'configmap', 'virt-controller', '-n', 'smalt-system', '-o', 'yaml');
      expect(settings).toContain('image: registry.example/smalt/smalt-launcher:next\n');
    });

    it('says which nodes have the libvirtd of before, which nobody replaces by itself', async () => {
      await applyText(
        JSON.stringify({ kind: 'Node', apiVersion: 'v1', metadata: { name: 'hv1', labels: HYPERVISOR } }),
      );
      const manifest = await readFile(join(REPOSITORY, 'deploy/libvirt.yaml'), 'utf8');
      await applyText(manifest);
      await untilLibvirtd((pods) => pods.length === 1);
      const [before = ''] = await libvirtds();
      const current = await podsWithOldLibvirtd();

      await applyText(manifest.replace(/(smalt-libvirt):\S+/, '$1:next'));
      await expect.poll(podsWithOldLibvirtd, { timeout: 60_000 }).toEqual([before]);
      await kubectl('delete', '-n', 'smalt-system', 'pod', before, '--grace-period=0', '--force');
      await untilLibvirtd((pods) => pods.length === 1 && !pods.includes(before));
      const afterwards = await podsWithOldLibvirtd();
      await kubectl('delete', '-f', join(REPOSITORY, 'deploy/libvirt.yaml'));

      expect([current, afterwards]).toEqual([[], []]);
    });

    it('keeps its definitions when the line that installs them is turned round', async () => {
      const definitions = await get('crds', '-l', 'app.kubernetes.io/part-of=smalt');
      const words = await wordsThatInstallDefinitions();

      const turned = run('kubectl', ['--kubeconfig', server.kubeconfig, 'delete', ...words], { cwd: REPOSITORY });

      await expect(turned).rejects.toThrow('if that is wanted, say so first: kubectl annotate crd');
      expect(await get('crds', '-l', 'app.kubernetes.io/part-of=smalt')).toBe(definitions);
      await reader.follow('upgrade.md', 'deploy/smalt.yaml | kubectl apply');
    });

    it('goes, and leaves the definitions with what guards them, and all that Helm would leave', async () => {
      const before = await keptUids();

      await reader.follow('uninstall.md', 'helm uninstall smalt', { without: ['helm uninstall'] });

      expect(await get(...WORKLOADS)).toBe('');
      expect(await get('crds')).toContain('/virtualmachines.kubevirt.io\n');
      expect(await get('validatingadmissionpolicies')).toContain('/smalt-definitions\n');
      expect(await get('validatingadmissionpolicybindings')).toContain('/smalt-definitions\n');
      // The same as before, and not about to go.
      expect(await keptUids()).toBe(before);
      expect(reader.left).toEqual([]);
    });
  },
);

async function libvirtds(): Promise<readonly string[]> {
  const path = 'jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}';
  const words = ['-n', 'smalt-system', '-l', 'app.kubernetes.io/name=smalt-libvirt', '-o', path];
  return (await kubectl('get', 'pods', ...words)).split('\n').filter(Boolean);
}

async function untilLibvirtd(isThere: (pods: readonly string[]) => boolean): Promise<void> {
  await expect.poll(async () => isThere(await libvirtds()), { timeout: 60_000 }).toBe(true);
}

/** By the names of their pods, which nobody binds to nodes here. */
async function podsWithOldLibvirtd(): Promise<readonly string[]> {
  const [, ...lines] = (await reader.follow('upgrade.md', 'controllerrevisions')).trim().split('\n');
  return lines.map((line) => line.split(/ +/)[1] ?? '');
}

/** All that follows `apply` on the page. */
async function wordsThatInstallDefinitions(): Promise<readonly string[]> {
  const lines = (await readPageBlocks()).filter(({ page }) => page === 'install.md').map(({ text }) => text);
  const [, words = ''] = /^kubectl apply --server-side (.*files\/crds.*)$/m.exec(lines.join('\n')) ?? [];
  return words.split(' ');
}

/** What an uninstall leaves: one line each, with who it is and when it was told to go. */
async function keptUids(): Promise<string> {
  const words = ['-n', 'smalt-system', '-o', 'jsonpath={.metadata.uid} {.metadata.deletionTimestamp}'];
  const lines = KEPT.map(async (name) => {
    return `${name} ${await kubectl('get', name, ...words)}\n`;
  });
  return (await Promise.all(lines)).join('');
}

/** Each of them once, in the order of the alphabet. */
async function imagesOf(kinds: string): Promise<readonly string[]> {
  const path = 'jsonpath={.items[*].spec.template.spec.containers[*].image}';
  const words = ['-n', 'smalt-system', '-l', 'app.kubernetes.io/part-of=smalt', '-o', path];
  return [...new Set((await kubectl('get', kinds, ...words)).split(' '))].toSorted();
}

async function get(...words: readonly string[]): Promise<string> {
  return await kubectl('get', ...words, '-o', 'name');
}

async function applyText(text: string): Promise<void> {
  const words = ['--kubeconfig', server.kubeconfig, 'apply', '--server-side', '-f', '-'];
  const running = run('kubectl', words);
  running.child.stdin?.end(text);
  await running;
}

async function kubectl(...words: readonly string[]): Promise<string> {
  return (await run('kubectl', ['--kubeconfig', server.kubeconfig, ...words])).stdout;
}

import { execFile } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findHelm, findKubernetes, startKubernetes } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { MACHINE_OF_KUBEVIRT, OBJECTS_OF_KUBEVIRT } from './installation/objects-of-kubevirt.ts';
import { PageReader } from './installation/page-reader.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const SOON = { timeout: 20_000, interval: 500 };
const OF_BOTH: ReadonlySet<unknown> = new Set(['virt-api', 'virt-controller', 'virt-handler']);
const programs = findKubernetes();
const helm = findHelm();
const run = promisify(execFile);
const owned = new AsyncDisposableStack();
let kubeconfig: string;
let reader: PageReader;

describe.skipIf(programs === undefined || helm === undefined)(
  'a KubeVirt (needs npm run bed:kubernetes -- --build)',
  { timeout: 300_000 },
  () => {
    let machine: unknown;

    beforeAll(async () => {
      if (programs === undefined || helm === undefined) return;
      const options = { controllers: true, isDurable: false };
      ({ kubeconfig } = owned.use(await startKubernetes(programs, AbortSignal.timeout(200_000), options)));
      const { path: directory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'kubevirt-')));
      reader = await PageReader.sitDown({ story: 'from KubeVirt', directory, kubeconfig, helm, names: {} });
    }, 240_000);
    afterAll(() => owned.disposeAsync(), 60_000);

    it('has workloads, webhooks and a machine that was stopped', async () => {
      await kubectl(['apply', '-f', '-'], OBJECTS_OF_KUBEVIRT);
      await vi.waitFor(() => kubectl(['apply', '-f', '-'], MACHINE_OF_KUBEVIRT), SOON);

      machine = await machineNow();

      expect(machine).toMatchObject({ spec: { runStrategy: 'Halted' } });
    });

    it('gives its names to ours, and its machine stays as it was', async () => {
      await reader.follow('moving.md', 'scale deployment virt-operator --replicas=0');
      await reader.follow('moving.md', 'delete daemonset virt-handler');
      await reader.follow('moving.md', '--take-ownership --force-conflicts');

      expect(await machineNow()).toEqual(machine);
      expect(await selectors()).toEqual({
        'DaemonSet/virt-handler': { 'app.kubernetes.io/name': 'virt-handler', 'app.kubernetes.io/part-of': 'smalt' },
        'Deployment/virt-api': { 'app.kubernetes.io/name': 'virt-api', 'app.kubernetes.io/part-of': 'smalt' },
        'Deployment/virt-controller': {
          'app.kubernetes.io/name': 'virt-controller',
          'app.kubernetes.io/part-of': 'smalt',
        },
        'Service/virt-api': { 'app.kubernetes.io/name': 'virt-api', 'app.kubernetes.io/part-of': 'smalt' },
      });
      expect(await hooksOfSnapshots()).toEqual([]);
      expect(await replicas('virt-operator')).toBe(0);
    });

    it('gets its names back, and its machine', async () => {
      await reader.follow('moving.md', 'scale deployment virt-operator --replicas=2');

      expect(await machineNow()).toEqual(machine);
      expect([await selectors(), await replicas('virt-operator')]).toEqual([{}, 2]);
      expect(reader.left).toEqual([]);
    });
  },
);

async function machineNow(): Promise<unknown> {
  const { metadata, spec } = Object(JSON.parse(await kubectl(['get', 'vm', 'shop', '-o', 'json'])));
  return { uid: metadata.uid, spec };
}

/** By what the workloads of both find their pods. */
async function selectors(): Promise<Readonly<Record<string, unknown>>> {
  const text = await kubectl(['-n', 'kubevirt', 'get', 'deployments,daemonsets,services', '-o', 'json']);
  const { items }: { readonly items: readonly unknown[] } = Object(JSON.parse(text));
  const found = items.map((each) => {
    const { kind, metadata, spec } = Object(each);
    return {
      name: metadata.name,
      key: `${kind}/${metadata.name}`,
      selector: spec.selector.matchLabels ?? spec.selector,
    };
  });
  const ofBoth = found.filter(({ name }) => OF_BOTH.has(name));
  return Object.fromEntries(ofBoth.map(({ key, selector }) => [key, selector]));
}

/** The webhooks that are left of those for kinds that ours does not serve. */
async function hooksOfSnapshots(): Promise<readonly string[]> {
  const kinds = 'validatingwebhookconfigurations,mutatingwebhookconfigurations';
  const names = await kubectl(['get', kinds, '-o', 'jsonpath={.items[*].webhooks[*].name}']);
  return names.split(' ').filter((name) => name === 'snapshots.kubevirt.io' || name === 'restores.kubevirt.io');
}

async function replicas(name: string): Promise<number> {
  return Number(await kubectl(['-n', 'kubevirt', 'get', 'deployment', name, '-o', 'jsonpath={.spec.replicas}']));
}

async function kubectl(words: readonly string[], input = ''): Promise<string> {
  const running = run('kubectl', ['--kubeconfig', kubeconfig, ...words], { maxBuffer: MOST_BYTES });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

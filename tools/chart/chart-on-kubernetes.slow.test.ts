import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { findKubernetes, startKubernetes, type Kubernetes } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { everyPart } from './fixtures/every-part.ts';
import { kubectl, runHelm, type HelmPlace } from './fixtures/kubernetes-tools.ts';
import { CHART, findHelm, renderChart } from './helm.ts';

const TIMEOUT_MS = 600_000;
const programs = findKubernetes();
const helm = findHelm();
const isReady = programs !== undefined && helm !== undefined;
/** Everything that needs no definitions of others. */
const EVERYTHING = { ...everyPart('on'), permissions: { podRunner: true, scheduler: true } };
/** What a Secret may have, less a fifth for values of users and what is still to come. */
const MOST_OF_A_SECRET = 0.8 * 1024 * 1024;
const MACHINE = JSON.stringify({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'web', namespace: 'default' },
  spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} }, volumes: [] } } },
});

describe.skipIf(!isReady)('the real API server (npm run bed:kubernetes -- --build)', { timeout: TIMEOUT_MS }, () => {
  it('everything that is rendered can be applied, and again without a change', async () => {
    await using server = await startServer();
    const rendered = await renderChart(helm ?? '', { values: EVERYTHING });
    await kubectl(server.kubeconfig, ['create', 'namespace', 'smalt-system']);
    const apply = ['apply', '--server-side', '-f', '-'];

    const first = await kubectl(server.kubeconfig, apply, rendered);
    const versions = await resourceVersions(server.kubeconfig);
    await kubectl(server.kubeconfig, apply, rendered);

    expect(first).toContain(
      'customresourcedefinition.apiextensions.k8s.io/virtualmachines.kubevirt.io serverside-applied',
    );
    expect(first).toContain('daemonset.apps/virt-handler serverside-applied');
    expect(versions.split('\n').length).toBeGreaterThan(50);
    expect(await resourceVersions(server.kubeconfig)).toEqual(versions);
  });
});

describe.skipIf(!isReady)('a release (npm run bed:kubernetes -- --build)', { timeout: TIMEOUT_MS }, () => {
  const owned = new AsyncDisposableStack();
  let place: HelmPlace;

  beforeAll(async () => {
    const { kubeconfig } = owned.use(await startServer());
    const home = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-helm-'))).path;
    place = { helm: helm ?? '', kubeconfig, home };
  }, TIMEOUT_MS);
  afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

  it('is installed, upgraded and removed, and no virtual machine goes with it', async () => {
    // Nobody runs virt-api here, and without it no machine can be written.
    const values = JSON.stringify({ ...EVERYTHING, virtApi: { enabled: false } });
    const words = ['smalt', CHART, '--namespace', 'smalt-system', '--values', '-'];
    await runHelm(place, ['install', ...words, '--create-namespace'], values);
    await kubectl(place.kubeconfig, ['apply', '-f', '-'], MACHINE);
    await runHelm(place, ['upgrade', ...words, '--set', 'labels.team=blue'], values);
    const labelled = await get('crd', '-l', 'team=blue');
    await runHelm(place, ['uninstall', 'smalt', '--namespace', 'smalt-system']);

    expect(labelled.trim().split('\n').length).toBeGreaterThan(10);
    expect(await get('deployments,daemonsets', '-n', 'smalt-system')).toBe('');
    expect(await get('vm', '-n', 'default')).toBe('virtualmachine.kubevirt.io/web\n');
    expect(await get('pvc', '-n', 'smalt-system')).toContain('smalt-ha-service');
  });

  it('leaves definitions behind that are deleted only when it was asked for twice', async () => {
    const name = 'virtualmachines.kubevirt.io';
    const doIt = ['delete', 'crd', name, '--wait=false'];

    await expect(kubectl(place.kubeconfig, doIt)).rejects.toThrow(
      `all virtualmachines and what they stand for would go with it; if that is wanted, say so first: kubectl annotate crd ${name}`,
    );
    await kubectl(place.kubeconfig, ['annotate', 'crd', name, `smalt.dev/delete-with-all-objects=${name}`]);
    await kubectl(place.kubeconfig, doIt);

    await expect
      .poll(() => kubectl(place.kubeconfig, ['get', 'crd', name, '--ignore-not-found', '-o', 'name']))
      .toBe('');
  });

  it('comes back to what it has left behind', async () => {
    const words = ['smalt', CHART, '--namespace', 'smalt-system', '--values', '-'];
    await runHelm(place, ['install', ...words], JSON.stringify(EVERYTHING));

    expect(await get('deployment', 'virt-api', '-n', 'smalt-system')).toBe('deployment.apps/virt-api\n');
  });

  it('leaves room in the Secret that Helm keeps it in, and has nothing there that only tests read', async () => {
    const path = ['-o', 'jsonpath={.data.release}'];
    const kept = await kubectl(place.kubeconfig, [
      'get',
      'secret',
      'sh.helm.release.v1.smalt.v1',
      '-n',
      'smalt-system',
      ...path,
    ]);
    const data = Buffer.from(kept, 'base64');
    const release: Release = JSON.parse(gunzipSync(Buffer.from(data.toString(), 'base64')).toString());
    const files = release.chart.files.map(({ name }) => name);

    expect(data.length).toBeGreaterThan(100_000);
    expect(data.length).toBeLessThan(MOST_OF_A_SECRET);
    expect(files).toContain('files/alerts/certificates.yaml');
    expect(files.filter((name) => name.includes('/tests/'))).toEqual([]);
  });

  it('shows what newer definitions would change, though their fields are those of Helm', async () => {
    const definition = await readFile(join(CHART, 'files/crds/evictions.kvm.cloud.sap.yaml'), 'utf8');
    const newer = definition.replace('description: ', 'description: Newer. ');
    const diff = ['diff', '--server-side', '-f', '-'];

    await expect(kubectl(place.kubeconfig, diff, newer)).rejects.toThrow('conflict');
    // It ends with 1 where something differs.
    await expect(kubectl(place.kubeconfig, [...diff, '--force-conflicts'], newer)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^\+ +description: Newer[.]/m),
    });
  });

  async function get(...words: readonly string[]): Promise<string> {
    return await kubectl(place.kubeconfig, ['get', ...words, '-o', 'name']);
  }
});

interface Release {
  readonly chart: { readonly files: readonly { readonly name: string }[] };
}

async function startServer(): Promise<Kubernetes> {
  if (programs === undefined) throw new Error('there is no Kubernetes here');
  return await startKubernetes(programs, AbortSignal.timeout(300_000), { isDurable: false });
}

/** By which it shows whether something was written. */
async function resourceVersions(kubeconfig: string): Promise<string> {
  const kinds = 'crds,clusterroles,deployments,daemonsets,networkpolicies,validatingadmissionpolicies,cronjobs';
  const path = '{range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
  const words = ['get', kinds, '-n', 'smalt-system', '-l', 'app.kubernetes.io/part-of=smalt', '-o', `jsonpath=${path}`];
  return await kubectl(kubeconfig, words);
}

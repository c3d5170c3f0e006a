import { execFile } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { PageReader } from './installation/page-reader.ts';

const run = promisify(execFile);
const owned = new AsyncDisposableStack();
const REPOSITORY = resolve(import.meta.dirname, '..');
const APPLY = ['apply', '--server-side', '-f'];
const DEFINITIONS = ['virtualmachines', 'virtualmachineinstances'];
const MACHINE = 'virtualmachine.kubevirt.io/web\n';
const OURS = ['smalt-libvirt', 'smalt-smoke-tests'];
let server: TestApiServer;

beforeAll(async () => {
  server = owned.use(await startTestApiServer());
  await kubectl('create', 'namespace', 'smalt-system');
  await kubectl('create', 'namespace', 'of-others');
  const definitions = DEFINITIONS.map((name) => `deploy/helm/smalt/files/crds/${name}.kubevirt.io.yaml`);
  for (const file of [...definitions, 'deploy/definitions-policy.yaml', 'deploy/kept.yaml']) {
    await kubectl(...APPLY, file);
  }
  for (const name of DEFINITIONS) {
    await kubectl('wait', '--for=condition=Established', 'crd', `${name}.kubevirt.io`, '--timeout=60s');
  }
  await kubectlWith(machineIn('smalt-smoke-tests'), ...APPLY, '-');
}, 240_000);

afterAll(() => owned.disposeAsync(), 60_000);

it('keeps its namespaces and the machines in them when somebody deletes by the file that has them', async () => {
  // A policy holds a moment after it is there.
  const tried = (): Promise<string> => told('delete', 'namespace', ...OURS, '--dry-run=server');
  await expect.poll(tried, { timeout: 30_000 }).toContain('denied');

  const said = await told('delete', '--wait=false', '-f', 'deploy/kept.yaml');

  for (const name of OURS) {
    expect(said).toContain(
      `all that is in the namespace ${name} would go with it, virtual machines too; if that is wanted, say so first: kubectl annotate namespace ${name} smalt.dev/delete-with-all-objects=${name}`,
    );
  }
  expect(await kubectl('get', 'namespaces', ...OURS, '-o', 'jsonpath={.items[*].status.phase}')).toBe('Active Active');
  expect(await kubectl('get', 'vm', '-n', 'smalt-smoke-tests', '-o', 'name')).toBe(MACHINE);
});

it('keeps them when another name was asked for', async () => {
  await kubectl('annotate', 'namespace', 'smalt-libvirt', 'smalt.dev/delete-with-all-objects=smalt-smoke-tests');

  expect(await told('delete', '--wait=false', 'namespace', 'smalt-libvirt')).toContain('denied');
});

it('lets those of others go', async () => {
  expect(await kubectl('delete', 'namespace', 'of-others', '--timeout=60s')).toContain('deleted');
});

it('lets them go by the page', { timeout: 120_000 }, async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'namespaces-'));
  const { kubeconfig } = server;
  const place = { directory: directory.path, kubeconfig, helm: '/nowhere', names: {} };
  const reader = await PageReader.sitDown({ story: 'out of its namespaces', ...place });

  const said = await reader.follow('uninstall.md', 'kubectl annotate namespace');

  expect(said).toContain(MACHINE.trim().replace('virtualmachine.kubevirt.io/', ''));
  expect(await kubectl('get', 'namespaces', '-o', 'name')).not.toContain('smalt-smoke-tests');
  expect(reader.left).toEqual([]);
});

function machineIn(namespace: string): string {
  return JSON.stringify({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace },
    spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} }, volumes: [] } } },
  });
}

/** What it says, or by what it is refused. */
async function told(...words: readonly string[]): Promise<string> {
  return await kubectl(...words).catch(String);
}

async function kubectl(...words: readonly string[]): Promise<string> {
  return await kubectlWith('', ...words);
}

async function kubectlWith(input: string, ...words: readonly string[]): Promise<string> {
  const running = run('kubectl', ['--kubeconfig', server.kubeconfig, ...words], { cwd: REPOSITORY });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

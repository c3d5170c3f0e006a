import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

const execute = promisify(execFile);
let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
  const items = [node('tainted'), node('closed'), node('drained')];
  await bed.output('create -f -', { input: { apiVersion: 'v1', kind: 'List', items } });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe.concurrent('nodes', () => {
  it('taints a node and takes the taint away', async () => {
    expect(await bed.output('taint node tainted key=value:NoExecute')).toBe('node/tainted tainted\n');
    const taints = await bed.output('get node tainted -o jsonpath={.spec.taints[?(@.key=="key")].effect}');
    const again = await bed.complaint('taint node tainted key=value:NoExecute');

    expect(taints).toBe('NoExecute');
    expect(again).toContain('already has key taint(s) with same effect(s) and --overwrite is false');
    expect(await bed.output('taint node tainted key-')).toBe('node/tainted untainted\n');
  });

  it('closes a node and opens it', async () => {
    expect(await bed.output('cordon closed')).toBe('node/closed cordoned\n');
    const row = await bed.output('get node closed --no-headers');

    expect(row).toMatch(/^closed +\S+,SchedulingDisabled +<none> +\d+s/);
    expect(await bed.output('uncordon closed')).toBe('node/closed uncordoned\n');
  });

  it('drains a node of its pods as far as their budgets allow', async () => {
    await bed.output('create -f -', { input: podOn('drained', 'free', {}) });
    await bed.output('create -f -', { input: podOn('drained', 'guarded', { app: 'guarded' }) });
    await setRunning('guarded');
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'guard' } };
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } };
    await bed.output('create -f -', { input: { ...budget, spec } });

    const stopped = await bed.run('drain drained --force --timeout=2s');
    await bed.output('delete poddisruptionbudget guard');
    const drained = await bed.output('drain drained --force --timeout=20s');

    expect(stopped.code).toBe(1);
    expect(stopped.stdout + stopped.stderr).toContain(
      "Cannot evict pod as it would violate the pod's disruption budget.",
    );
    expect(drained).toMatch(/node\/drained (?:drained|evicted)/);
    expect(await bed.output('get pods --field-selector=spec.nodeName=drained -o name')).toBe('');
  });

  it('says that there are no metrics', async () => {
    const [nodes, pods] = await Promise.all([bed.complaint('top nodes'), bed.complaint('top pods')]);

    expect([nodes, pods]).toEqual(['error: Metrics API not available\n', 'error: Metrics API not available\n']);
  });
});

describe.concurrent('pods that run nowhere', () => {
  it.each([
    { command: 'exec lost -- ls', complaint: 'pod lost does not have a host assigned' },
    { command: 'cp lost:/etc/hosts hosts', complaint: 'pod lost does not have a host assigned' },
    { command: 'port-forward lost :80', complaint: 'unable to forward port because pod is not running' },
    { command: 'logs nobody', complaint: 'pods "nobody" not found' },
    { command: 'logs lost -c nothing', complaint: 'container nothing is not valid for pod lost' },
    { command: 'exec nobody -- ls', complaint: 'pods "nobody" not found' },
  ])('refuses $command', async ({ command, complaint }) => {
    await bed.run('create -f -', { input: podOn('', 'lost', {}) });

    expect(await bed.complaint(command)).toContain(complaint);
  });

  it('have no log yet', async () => {
    await bed.output('create -f -', { input: podOn('', 'silent', {}) });

    expect(await bed.output('logs silent')).toBe('');
  });
});

describe('certificate', () => {
  it('approves a request, which is signed then', async () => {
    await bed.output('create -f -', { input: await certificateRequest('jane') });

    expect(await bed.output('certificate approve jane')).toBe(
      'certificatesigningrequest.certificates.k8s.io/jane approved\n',
    );
    await bed.output(['wait', 'csr/jane', '--for=condition=Approved', '--timeout=10s']);

    expect(await bed.output('get csr jane --no-headers')).toMatch(
      /^jane .*kubernetes\.io\/kube-apiserver-client +admin .*Approved/,
    );
  });

  it('denies a request', async () => {
    await bed.output('create -f -', { input: await certificateRequest('mallory') });

    await bed.output('certificate deny mallory');

    expect(await bed.output('get csr mallory --no-headers')).toMatch(/Denied$/m);
  });
});

function node(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name } };
}

function podOn(nodeName: string, name: string, labels: Readonly<Record<string, string>>): string {
  const spec = {
    ...(nodeName === '' ? {} : { nodeName }),
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'c', image: 'x' }],
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec });
}

async function setRunning(name: string): Promise<void> {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const headers = { 'content-type': 'application/merge-patch+json' };
  await bed.api.call('PATCH', `/api/v1/namespaces/default/pods/${name}/status`, { headers, body: { status } });
}

async function certificateRequest(name: string): Promise<string> {
  const path = join(bed.directory, `${name}.csr`);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${path}.key`];
  await execute('openssl', ['req', '-new', ...key, '-subj', `/CN=${name}`, '-out', path]);
  const request = (await readFile(path)).toString('base64');
  const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  return JSON.stringify({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec,
  });
}

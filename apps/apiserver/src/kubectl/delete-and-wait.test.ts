import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { machine } from '../fixtures/machine-definition.ts';
import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe.concurrent('delete', () => {
  it('gives a pod the time it was told to, or none', async () => {
    await bed.output('run slow --image=x');
    await bindPod('slow');
    await bed.output('delete pod slow --grace-period=7 --wait=false');

    const seconds = await bed.output('get pod slow -o jsonpath={.metadata.deletionGracePeriodSeconds}');
    const forced = await bed.run('delete pod slow --force --grace-period=0 --timeout=10s');

    expect(seconds).toBe('7');
    expect(forced.stdout).toMatch(/^pod "slow" force deleted/);
    expect(await bed.complaint('get pod slow')).toContain('pods "slow" not found');
  });

  it('deletes all objects of a kind in a namespace', async () => {
    await bed.output('create namespace crowd');
    await bed.output('create configmap one -n crowd');
    await bed.output('create configmap two -n crowd');

    await bed.output('delete configmaps one two -n crowd');
    await bed.output('delete serviceaccounts --all -n crowd');

    expect(await bed.output('get configmap one two -n crowd --ignore-not-found -o name')).toBe('');
  });

  it('deletes what a file names', async () => {
    const text = await bed.output('delete -f - --ignore-not-found', { input: machine('absent') });

    expect(text).toBe('');
    expect(await bed.complaint('delete -f -', { input: machine('absent') })).toContain('"absent" not found');
  });

  it('waits until the object is gone', async () => {
    await bed.output(['create', '-f', '-'], { input: machine('gone') });

    await bed.output(['delete', 'machine', 'gone', '--timeout=10s']);

    expect(await bed.output(['get', 'machines', '--ignore-not-found', '-o', 'name'])).not.toContain('/gone');
  });

  it('keeps an object with a finalizer until that is removed', async () => {
    const input = { ...machine('held'), metadata: { name: 'held', finalizers: ['example.dev/hold'] } };
    await bed.output(['create', '-f', '-'], { input });
    await bed.output(['delete', 'machine', 'held', '--wait=false']);

    const marked = await bed.output(['get', 'machine', 'held', '-o', 'jsonpath={.metadata.deletionTimestamp}']);
    await bed.output(['patch', 'machine', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);

    expect(marked).toMatch(/^\d{4}-/);
    expect((await bed.run(['get', 'machine', 'held'])).stderr).toContain('not found');
  });

  it('deletes what a selector selects', async () => {
    for (const name of ['s1', 's2']) {
      await bed.output(['create', 'configmap', name]);
      await bed.output(['label', 'configmap', name, 'sel=yes']);
    }

    const text = await bed.output(['delete', 'configmap', '-l', 'sel=yes']);

    expect(text.split('\n').filter((line) => line.includes('deleted'))).toHaveLength(2);
  });

  it('only tries when it is told to', async () => {
    await bed.output(['create', 'configmap', 'kept']);

    await bed.output(['delete', 'configmap', 'kept', '--dry-run=server']);

    expect(await bed.output(['get', 'configmap', 'kept', '-o', 'name'])).toBe('configmap/kept\n');
  });
});

describe('wait and watch', () => {
  it('waits for a field', async ({ skip }) => {
    skip(bed.clientMinor < 23, 'this kubectl cannot wait for a field');
    await bed.output(['create', '-f', '-'], { input: machine('slow') });
    const waiting = bed.output(['wait', 'machine/slow', '--for=jsonpath={.status.phase}=Up', '--timeout=20s']);

    await setStatus('slow', { phase: 'Up' });

    expect(await waiting).toBe('machine.bench.example.dev/slow condition met\n');
  });

  it('waits for a condition', async () => {
    await bed.output('create -f -', { input: machine('ready') });
    const conditions = [{ type: 'Ready', status: 'True' }];
    const waiting = bed.output('wait machine/ready --for=condition=Ready --timeout=20s');

    await setStatus('ready', { conditions });

    expect(await waiting).toBe('machine.bench.example.dev/ready condition met\n');
  });

  it('waits for an object to be there', async ({ skip }) => {
    skip(bed.clientMinor < 31, 'this kubectl cannot wait for a creation');
    const waiting = bed.output('wait machine/coming --for=create --timeout=20s');

    await bed.output('create -f -', { input: machine('coming') });

    expect(await waiting).toBe('machine.bench.example.dev/coming condition met\n');
  });

  it('waits for a deletion', async () => {
    await bed.output(['create', '-f', '-'], { input: machine('leaving') });
    const waiting = bed.output(['wait', 'machine/leaving', '--for=delete', '--timeout=20s']);
    await untilWatched();

    await bed.output(['delete', 'machine', 'leaving']);

    expect(await waiting).toBe('machine.bench.example.dev/leaving condition met\n');
  });

  it('gives up waiting in the end', async () => {
    await bed.output(['create', '-f', '-'], { input: machine('never') });

    const result = await bed.run(['wait', 'machine/never', '--for=condition=Ready', '--timeout=1s']);

    expect(result.stderr).toContain('timed out waiting for the condition');
  });

  it('prints a row for each change', async () => {
    await bed.output(['create', '-f', '-'], { input: machine('shown', 1) });
    const stop = new AbortController();
    const rows: string[] = [];

    for await (const line of bed.follow(['get', 'machine', 'shown', '-w'], stop.signal)) {
      rows.push(line);
      if (rows.length === 2)
        void bed.output(['patch', 'machine', 'shown', '--type=merge', '-p', '{"spec":{"cpus":2}}']);
      if (rows.length === 3) stop.abort();
    }

    expect(rows).toEqual([
      expect.stringMatching(/^NAME +CPUS/),
      expect.stringMatching(/^shown +1 /),
      expect.stringMatching(/^shown +2 /),
    ]);
  });
});

it('prints what happened to an object', async () => {
  const stop = new AbortController();
  const rows: string[] = [];
  const deletions: Promise<string>[] = [];
  await bed.output('create -f -', { input: machine('told') });

  for await (const line of bed.follow('get machine told -w --output-watch-events --no-headers', stop.signal)) {
    rows.push(line.replaceAll(/ +/g, ' '));
    if (rows.length === 1) deletions.push(bed.output('delete machine told'));
    if (rows.length === 2) stop.abort();
  }
  await Promise.all(deletions);

  expect(rows).toEqual([expect.stringMatching(/^ADDED told 4 /), expect.stringMatching(/^DELETED told 4 /)]);
});

async function setStatus(name: string, status: JsonObject): Promise<void> {
  const path = `/apis/bench.example.dev/v1/namespaces/default/machines/${name}/status`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  await bed.api.call('PATCH', path, { headers, body: { status } });
}

async function bindPod(name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'far' } };
  await bed.api.call('POST', `/api/v1/namespaces/default/pods/${name}/binding`, { body });
}

async function untilWatched(): Promise<void> {
  for (;;) {
    const { text } = await bed.api.call('GET', '/metrics');
    if (/^apiserver_longrunning_requests\{verb="WATCH"\} [1-9]/m.test(text)) return;
  }
}

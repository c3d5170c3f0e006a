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

describe('delete', () => {
  it.each(['background', 'foreground', 'orphan'])('accepts the propagation %s', async (policy) => {
    await bed.output(['create', 'configmap', policy]);

    const text = await bed.output(['delete', 'configmap', policy, `--cascade=${policy}`, '--wait=false']);

    expect(text).toMatch(new RegExp(`^configmap "${policy}" deleted`));
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
  it('waits for a field', async () => {
    await bed.output(['create', '-f', '-'], { input: machine('slow') });
    const waiting = bed.output(['wait', 'machine/slow', '--for=jsonpath={.status.phase}=Up', '--timeout=20s']);

    await bed.output([
      'patch',
      'machine',
      'slow',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"phase":"Up"}}',
    ]);

    expect(await waiting).toBe('machine.bench.example.dev/slow condition met\n');
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

    const result = await bed.run(['wait', 'machine/never', '--for=jsonpath={.status.phase}=Up', '--timeout=1s']);

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

async function untilWatched(): Promise<void> {
  for (;;) {
    const { text } = await bed.api.call('GET', '/metrics');
    if (/^apiserver_longrunning_requests\{verb="WATCH"\} [1-9]/m.test(text)) return;
  }
}

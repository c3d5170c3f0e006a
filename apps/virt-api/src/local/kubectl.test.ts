import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPluggedBed, type PluggedBed } from '../fixtures/plugged-bed.ts';

const run = promisify(execFile);
const ROOT = '/apis/subresources.kubevirt.io/v1/namespaces/default';
let bed: PluggedBed;

beforeAll(async () => {
  bed = await startPluggedBed();
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('kubectl', () => {
  it('applies a machine, starts it, and shows it', async () => {
    await kubectl(['apply', '-f', '-'], machine('first', 'Halted'));
    await kubectl(['replace', '--raw', `${ROOT}/virtualmachines/first/start`, '-f', '-'], '{}');

    const shown = await kubectl(['get', 'vm', 'first', '-o', 'jsonpath={.spec.runStrategy}']);
    const names = await kubectl(['get', 'vmi,vm', '-o', 'name']);

    expect(shown).toBe('Always');
    // The names of the subresources' group must not stand in the way of the machines' own.
    expect(names.trim()).toBe('virtualmachine.kubevirt.io/first');
  });

  it('is told every cause', async () => {
    const complaint = await kubectl(['apply', '-f', '-'], machine('bad', 'Sometimes')).then(
      () => '',
      (error: unknown) => String(error),
    );

    expect(complaint).toContain('Invalid RunStrategy (Sometimes)');
    expect(complaint).toContain('spec.template.spec.hypervisor is not a known driver: bhyve');
  });

  it('applies the same machine again without a change', async () => {
    await kubectl(['apply', '-f', '-'], machine('same', 'Manual'));

    const again = await kubectl(['apply', '-f', '-'], machine('same', 'Manual'));

    expect(again).toContain('unchanged');
  });

  it('finds the API and its subresources', async () => {
    const versions = await kubectl(['api-versions']);
    const list = await kubectl(['get', '--raw', '/apis/subresources.kubevirt.io/v1']);

    expect(versions).toContain('subresources.kubevirt.io/v1\n');
    expect(list).toContain('virtualmachineinstances/console');
  });
});

async function kubectl(words: readonly string[], input = ''): Promise<string> {
  const { kubeconfig } = bed.server;
  const cache = join(dirname(kubeconfig), 'kubectl-cache');
  const running = run('kubectl', ['--kubeconfig', kubeconfig, '--cache-dir', cache, ...words]);
  running.child.stdin?.end(input);
  return (await running).stdout;
}

function machine(name: string, runStrategy: string): string {
  const hypervisor = runStrategy === 'Sometimes' ? { hypervisor: 'bhyve' } : {};
  const spec = { ...hypervisor, domain: { memory: { guest: '64Mi' }, devices: {} } };
  return JSON.stringify({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: { runStrategy, template: { spec } },
  });
}

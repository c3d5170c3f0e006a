import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { connect } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { makeContainerRoot } from './virtual-machines/container-root.ts';
import { nodeRemains } from './virtual-machines/node-remains.ts';
import type { VmHost } from './virtual-machines/vm-host.ts';
import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

const WAIT_MS = 60_000;

let world: VmWorld;
let host: VmHost;
let root: string;

beforeAll(async () => {
  const signal = AbortSignal.timeout(240_000);
  world = await startVmWorld({ hosts: 1, drivers: ['qemu', 'lxc', 'test'], featureGates: ['HostDisk'], signal });
  const [only] = world.hosts;
  if (only === undefined) throw new Error('there is one');
  host = only;
  root = join(world.directory, 'root');
  await mkdir(root);
  await makeContainerRoot(root);
}, 240_000);

afterAll(() => world[Symbol.asyncDispose](), 60_000);

describe('a machine of the hypervisor lxc', { timeout: 120_000 }, () => {
  it('is a container on the node, whose keeper is in the cgroup of the pod', async () => {
    await world.kubectl(['apply', '-f', '-'], machine('box', { hypervisor: 'lxc', ...container() }));
    const running = await world.untilInstance('box', isRunning, WAIT_MS);
    const [keeper = ''] = await processes('libvirt_lxc --name default_box');
    const cgroups = await host.machine.exec(['cat', `/proc/${keeper}/cgroup`]);

    expect(running.status).toMatchObject({ nodeName: 'hv1', phase: 'Running' });
    expect(await domainsOf('lxc')).toEqual(['default_box']);
    await expect.poll(() => processes('/bin/sh /sbin/init')).toHaveLength(1);
    expect(cgroups).toContain(`${host.cgroupRoot}/smalt/pods/`);
  });

  it('is another container after a restart', async () => {
    const before = await world.instances.get('box', { namespace: 'default' });

    await act('restart');
    const after = await world.untilInstance(
      'box',
      (instance) => instance.metadata.uid !== before.metadata.uid && isRunning(instance),
      WAIT_MS,
    );

    expect(after.status?.nodeName).toBe('hv1');
    expect(await domainsOf('lxc')).toEqual(['default_box']);
  });

  it('dies with its launcher, and is started anew', async () => {
    const before = await world.instances.get('box', { namespace: 'default' });
    const [launcher = ''] = await processes('virt-launcher');

    await host.machine.exec(['kill', '-9', launcher]);
    await world.untilInstance(
      'box',
      (instance) => instance.metadata.uid !== before.metadata.uid && isRunning(instance),
      WAIT_MS,
    );

    expect(await domainsOf('lxc')).toEqual(['default_box']);
    await expect.poll(() => processes('/bin/sh /sbin/init')).toHaveLength(1);
  });

  it('is gone with everything when it is deleted', async () => {
    await world.kubectl(['delete', 'vm', 'box', '--wait=true', `--timeout=${WAIT_MS / 1000}s`]);

    expect(await domainsOf('lxc')).toEqual([]);
    // Its files go once the API knows how it ended.
    await expect.poll(() => nodeRemains(host)).toEqual([]);
  });

  it('is refused what containers cannot do, with what to do instead', async () => {
    const spec = { hypervisor: 'lxc', ...container(), domain: { ...container().domain, devices: { tpm: {} } } };

    const applying = world.kubectl(['apply', '-f', '-'], machine('odd', spec));

    await expect(applying).rejects.toThrow(/domain\.devices\.tpm: the hypervisor lxc has no devices; leave it out/);
  });
});

describe('a machine of the hypervisor test', { timeout: 120_000 }, () => {
  it('runs in the mock, which keeps its own domain', async () => {
    await world.kubectl(['apply', '-f', '-'], machine('mock', { hypervisor: 'test', domain: mockDomain() }));

    const running = await world.untilInstance('mock', isRunning, WAIT_MS);

    expect(running.status?.nodeName).toBe('hv1');
    expect(await domainsOf('test')).toEqual(['default_mock', 'test']);
  });

  it('is gone with everything when it is deleted', async () => {
    await world.kubectl(['delete', 'vm', 'mock', '--wait=true', `--timeout=${WAIT_MS / 1000}s`]);

    expect(await domainsOf('test')).toEqual(['test']);
    // Its files go once the API knows how it ended.
    await expect.poll(() => nodeRemains(host)).toEqual([]);
  });
});

async function act(subresource: string): Promise<void> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachines/box/${subresource}`;
  await world.control.admin.text({ method: 'PUT', path, body: '{}' });
}

/** Of the host that have these words, the numbers that the host knows them by. */
async function processes(words: string): Promise<readonly string[]> {
  const lines = (await host.machine.exec(['ps', '-eo', 'pid=,args='])).split('\n');
  return lines.filter((line) => line.includes(words)).map((line) => line.trim().split(' ')[0] ?? '');
}

async function domainsOf(driver: string): Promise<readonly string[]> {
  const uri = driver === 'test' ? host.machine.uri.replace('/system', '/default') : host.machine.uri;
  await using connection = await connect(uri.replace('qemu+', `${driver}+`));
  return (await connection.connectListAllDomains()).map(({ name }) => name).toSorted();
}

function isRunning({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running';
}

function mockDomain(): object {
  return { memory: { guest: '64Mi' }, devices: {} };
}

function container(): { readonly domain: object; readonly volumes: readonly object[] } {
  return {
    domain: { memory: { guest: '64Mi' }, devices: { disks: [{ name: 'root', disk: {} }] } },
    volumes: [{ name: 'root', hostDisk: { path: root, type: 'Disk' } }],
  };
}

function machine(name: string, spec: object): string {
  const template = { spec: { terminationGracePeriodSeconds: 3, ...spec } };
  const head = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name } };
  return JSON.stringify({ ...head, spec: { runStrategy: 'Always', template } });
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isOnKubernetes } from '@smalt/bed-kubernetes';
import type { VirtualMachineInstance, VolumeStatus } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nodeRemains } from './virtual-machines/node-remains.ts';
import { SmaltConsole } from './virtual-machines/smalt-console.ts';
import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

let world: VmWorld;

beforeAll(async () => {
  world = await startVmWorld({ hosts: 1, signal: AbortSignal.timeout(240_000) });
}, 240_000);

afterAll(() => world[Symbol.asyncDispose](), 60_000);

// One machine lives through all of it in this order.
describe('a virtual machine', { timeout: 120_000 }, () => {
  it('sees the disk of a claim that is plugged in while it runs', async () => {
    await provideVolume();
    await world.kubectl(['apply', '-f', '-'], OBJECTS);
    await world.untilInstance('web', ({ status }) => status?.phase === 'Running');
    await using console = new SmaltConsole('web', world.control.server.kubeconfig);
    console.type('\n');
    await console.shows('web login:');
    console.type('root\n');

    await act('addvolume', {
      name: 'data',
      disk: { disk: { bus: 'scsi' }, serial: 'plugged' },
      volumeSource: { persistentVolumeClaim: { claimName: 'data', hotpluggable: true } },
    });
    const plugged = await world.untilInstance('web', (instance) => volumeOf(instance)?.phase === 'Ready');
    console.type('until grep sda /proc/partitions; do sleep 0.1; done\n');
    await console.shows(/\d+ +sda/);

    expect(volumeOf(plugged)).toMatchObject({
      target: 'sda',
      hotplugVolume: { attachPodName: expect.stringMatching(/^hp-volume-[0-9a-f]{8}-data$/) },
    });
    expect(await pods()).toHaveLength(2);
    const reason = plugged.status?.conditions?.find(({ type }) => type === 'LiveMigratable')?.reason;
    expect(reason).toBe('HotplugNotLiveMigratable');
  });

  it('keeps it while its handler and its pod runner are killed and come back', async () => {
    const [host] = world.hosts;
    await Promise.all([host?.handler?.kill(), host?.runner?.kill()]);
    await Promise.all([host?.startRunner(), host?.startHandler()]);

    const { status } = await world.untilInstance('web', (instance) => volumeOf(instance)?.phase === 'Ready');

    expect(status?.phase).toBe('Running');
    expect(await pods()).toHaveLength(2);
  });

  it('lets go of it when it is taken out, and with it the pod that held the claim', async () => {
    await act('removevolume', { name: 'data' });
    const after = await world.untilInstance('web', (instance) => volumeOf(instance) === undefined);
    await expect.poll(() => pods(), { timeout: 30_000 }).toHaveLength(1);

    await using console = new SmaltConsole('web', world.control.server.kubeconfig);
    console.type('\ngrep -c sda /proc/partitions; echo counted\n');
    await console.shows(/\n0\r?\n.*counted/s);

    expect(after.status?.phase).toBe('Running');
  });

  it('has it again after a restart when it was plugged in for good, and leaves nothing when it is deleted', async () => {
    await act('addvolume', {
      name: 'data',
      disk: { disk: { bus: 'scsi' } },
      volumeSource: { persistentVolumeClaim: { claimName: 'data', hotpluggable: true } },
    });
    const before = await world.untilInstance('web', (instance) => volumeOf(instance)?.phase === 'Ready');
    await act('restart', {});
    await world.untilInstance(
      'web',
      (instance) => instance.metadata.uid !== before.metadata.uid && volumeOf(instance)?.phase === 'Ready',
    );

    await world.kubectl(['delete', 'vm', 'web', '--wait=true', '--timeout=60s']);

    const [host] = world.hosts;
    expect(await pods()).toEqual([]);
    await expect.poll(async () => (host === undefined ? [] : await nodeRemains(host))).toEqual([]);
  });
});

/** Where Kubernetes schedules, a claim has its volume before its pod has a node; else the pod runner of that node makes one. */
async function provideVolume(): Promise<void> {
  const [host] = world.hosts;
  if (!isOnKubernetes() || host === undefined) return;
  await mkdir(join(host.directory, 'data'));
  const object = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'data' },
    spec: {
      capacity: { storage: '16Mi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'smalt-local',
      hostPath: { path: join(host.ownDirectory, 'data') },
    },
  };
  await world.kubectl(['apply', '-f', '-'], JSON.stringify(object));
}

function volumeOf({ status }: VirtualMachineInstance): VolumeStatus | undefined {
  return status?.volumeStatus?.find(({ name }) => name === 'data');
}

async function pods(): Promise<readonly string[]> {
  const text = await world.kubectl(['get', 'pods', '-A', '-o', 'name']);
  return text.split('\n').filter((line) => line !== '');
}

async function act(subresource: string, options: object): Promise<void> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachines/web/${subresource}`;
  await world.control.admin.text({ method: 'PUT', path, body: JSON.stringify(options) });
}

const OBJECTS = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: default
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 16Mi
---
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: web
  namespace: default
spec:
  runStrategy: Always
  template:
    spec:
      hypervisor: qemu
      terminationGracePeriodSeconds: 3
      domain:
        memory:
          guest: 128Mi
        devices:
          disks:
            - name: root
              disk:
                bus: virtio
            - name: seed
              disk:
                bus: virtio
          autoattachPodInterface: false
      volumes:
        - name: root
          containerDisk:
            image: demo
        - name: seed
          cloudInitNoCloud:
            userData: |
              #cloud-config
              hostname: web
`;

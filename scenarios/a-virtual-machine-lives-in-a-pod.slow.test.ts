import type { VirtualMachineInstance, VolumeStatus } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DEMO_DISK } from './virtual-machines/demo-image.ts';
import { missingForKubelet, startKubeletWorld, type KubeletWorld } from './virtual-machines/kubelet-world.ts';

const missing = missingForKubelet();
const needs = missing === undefined ? '' : ` (skipped: ${missing})`;
const SYSTEM = ['-n', 'smalt-system'];
const ROLLED_OUT = ['rollout', 'status', 'daemonset/virt-handler'];
const GONE = ['wait', '--for=delete', 'pod', '-l', 'app.kubernetes.io/name=virt-handler'];
let world: KubeletWorld;

beforeAll(async () => {
  if (missing === undefined) world = await startKubeletWorld(AbortSignal.timeout(480_000));
}, 500_000);

afterAll(async () => await world?.[Symbol.asyncDispose](), 120_000);

// One machine after the other in this order.
describe.skipIf(missing !== undefined)(
  `a virtual machine in a pod of a real kubelet${needs}`,
  { timeout: 300_000 },
  () => {
    it('boots from the image, the empty disk and the medium for cloud-init that its pod has', async () => {
      await world.kubectl(['apply', '-f', '-'], machine('web'));

      const instance = await world.untilInstance('web', ({ status }) => status?.phase === 'Running');
      const told = await world.untilInstance('web', (each) => isTrue(each, 'AgentConnected'));

      expect(instance.status?.nodeName).toBe(world.node.name);
      expect(told.status?.interfaces?.[0]?.ipAddress).toMatch(/^10\.222\.\d+\.\d+$/);
      await world.kubectl(['wait', '--for=condition=Ready', 'pod', '-l', 'kubevirt.io=virt-launcher', '--timeout=60s']);
      expect(await launcherLog()).toContain('the guest is here');
    });

    it('has its process in the cgroup of its container, and the image read-only', async () => {
      const process = await guestProcess('web');
      const cgroups = await world.node.run(['cat', `/proc/${process}/cgroup`]);
      const mounts = await world.node.run(['cat', '/proc/self/mountinfo']);

      const container = await pod('{.items[0].status.containerStatuses[0].containerID}');
      const id = container.replace('containerd://', '');
      const held = cgroups.split('\n').filter((line) => line.includes(id));
      expect(held.map((line) => line.split(':')[1])).toEqual(
        expect.arrayContaining(cgroups.includes(':memory:') ? ['memory', 'pids', 'cpu', 'cpuset'] : ['']),
      );
      expect(held.filter((line) => line.endsWith(`${id}/guest`))).toHaveLength(1);
      const [image] = mounts.split('\n').filter((line) => line.includes('/shown/root '));
      expect(image).toMatch(/ ro,nosuid,nodev,noexec/);
    });

    it('runs on while its handler is another one', async () => {
      const before = await guestProcess('web');
      await world.kubectl([...SYSTEM, 'delete', 'pod', '-l', 'app.kubernetes.io/name=virt-handler', '--now']);
      const during = await guestProcess('web');
      await world.kubectl([...SYSTEM, ...ROLLED_OUT, '--timeout=120s']);

      // Only a handler that has found the guest and its pod again can do this.
      await expect.poll(() => act('web', 'pause'), { timeout: 60_000, interval: 500 }).toBe('done');
      const paused = await world.untilInstance('web', (each) => isTrue(each, 'Paused'));
      await act('web', 'unpause');

      expect([during, await guestProcess('web')]).toEqual([before, before]);
      expect(paused.status?.phase).toBe('Running');
    });

    it('sees the disk of a claim that another pod holds for it, while it runs', async () => {
      await world.node.run(['mkdir', '-p', '/var/lib/claims/data']);
      await world.kubectl(['apply', '-f', '-'], claim('data', world.node.name));
      const volumeSource = { persistentVolumeClaim: { claimName: 'data', hotpluggable: true } };

      const added = await act('web', 'addvolume', { name: 'data', disk: { disk: { bus: 'scsi' } }, volumeSource });
      const plugged = await world.untilInstance('web', ({ status }) => status?.volumeStatus?.some(isReady) === true);
      const disk = await world.node.run(['stat', '--format=%U', '/var/lib/claims/data/disk.img']);

      expect([added, disk.trim()]).toEqual(['done', 'libvirt-qemu']);
      expect(plugged.status?.volumeStatus?.find(isReady)?.target).toBe('sda');
    });

    it('ends when somebody deletes its pod, in the time that it has', async () => {
      await world.kubectl(['delete', 'pod', '-l', 'kubevirt.io=virt-launcher', '--timeout=120s']);

      const { status } = await world.untilInstance('web', (each) => each.status?.phase !== 'Running');

      expect([await guestProcess('web'), status?.phase]).toEqual(['', expect.stringMatching(/^(Succeeded|Failed)$/)]);
      expect(await imagesShown()).toBe('');
    });

    it('ends with its launcher, when that is killed', async () => {
      await startAnew('killed');
      const launcher = await processOf('virt-launcher --name=killed');

      await world.node.run(['kill', '-KILL', launcher]);
      const { status } = await world.untilInstance('killed', (each) => each.status?.phase === 'Failed');

      expect([await guestProcess('killed'), status?.reason]).toEqual(['', 'LauncherGone']);
    });

    it('is ended by the kubelet itself, when no handler is there to do it', async () => {
      await startAnew('alone');
      await moveHandlers('nowhere');
      const launcher = await processOf('virt-launcher --name=alone');

      await world.node.run(['kill', '-KILL', launcher]);

      await expect.poll(() => guestProcess('alone'), { timeout: 60_000 }).toBe('');
      await moveHandlers(null);
      await world.untilInstance('alone', (each) => each.status?.phase === 'Failed');
    });

    it('has its pod end with it, when its own process is killed', async () => {
      await startAnew('crashed');
      const name = await pod('{.items[0].metadata.name}');
      const end = '{.status.containerStatuses[0].state.terminated.exitCode}=0';
      const ended = world.kubectl(['wait', `--for=jsonpath=${end}`, `pod/${name}`, '--timeout=60s']);

      await world.node.run(['kill', '-KILL', await guestProcess('crashed')]);
      const { status } = await world.untilInstance('crashed', (each) => each.status?.phase === 'Failed');

      expect(await ended).toContain('condition met');
      expect(status?.reason).toBe('GuestCrashed');
      expect(await imagesShown()).toBe('');
    });
  },
);

async function startAnew(name: string): Promise<void> {
  await world.kubectl(['delete', 'vmi', '--all', '--timeout=120s']);
  await world.kubectl(['apply', '-f', '-'], machine(name));
  await world.untilInstance(name, ({ status }) => status?.phase === 'Running');
}

/** Has the handlers run on nodes with a label, or where the chart wants them. */
async function moveHandlers(label: string | null): Promise<void> {
  const patch = { spec: { template: { spec: { nodeSelector: { nowhere: label } } } } };
  await world.kubectl([...SYSTEM, 'patch', 'daemonset', 'virt-handler', '--type=merge', '-p', JSON.stringify(patch)]);
  const awaited = label === null ? ROLLED_OUT : GONE;
  await world.kubectl([...SYSTEM, ...awaited, '--timeout=120s']);
}

async function guestProcess(name: string): Promise<string> {
  return await processOf(`guest=default_${name},`);
}

async function processOf(words: string): Promise<string> {
  return (await world.node.run(['pgrep', '-f', '--', words]).catch(() => '')).trim();
}

async function imagesShown(): Promise<string> {
  const mounts = await world.node.run(['cat', '/proc/self/mountinfo']);
  return mounts
    .split('\n')
    .filter((line) => line.includes('/virt-handler/instances/'))
    .join('\n');
}

async function pod(path: string): Promise<string> {
  return await world.kubectl(['get', 'pods', '-l', 'kubevirt.io=virt-launcher', '-o', `jsonpath=${path}`]);
}

async function launcherLog(): Promise<string> {
  return await world.kubectl(['logs', '-l', 'kubevirt.io=virt-launcher', '--tail=20']);
}

async function act(name: string, subresource: string, options: object = {}): Promise<string> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/${name}/${subresource}`;
  return await world.admin.text({ method: 'PUT', path, body: JSON.stringify(options) }).then(
    () => 'done',
    (error: unknown) => String(error),
  );
}

function isReady({ name, phase }: VolumeStatus): boolean {
  return name === 'data' && phase === 'Ready';
}

function isTrue({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;
}

/** A claim, and the directory of a node that it is bound to. */
function claim(name: string, nodeName: string): string {
  return `
apiVersion: v1
kind: PersistentVolume
metadata:
  name: ${name}
spec:
  capacity: { storage: 16Mi }
  accessModes: [ReadWriteOnce]
  storageClassName: by-hand
  local: { path: /var/lib/claims/${name} }
  nodeAffinity:
    required:
      nodeSelectorTerms:
        - matchExpressions:
            - { key: kubernetes.io/hostname, operator: In, values: [${nodeName}] }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: ${name}
  namespace: default
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: by-hand
  resources: { requests: { storage: 16Mi } }
`;
}

function machine(name: string): string {
  return `
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: ${name}
spec:
  hypervisor: qemu
  terminationGracePeriodSeconds: 5
  domain:
    memory:
      guest: 128Mi
    devices:
      disks:
        - name: root
          disk: { bus: virtio }
        - name: scratch
          disk: { bus: virtio }
        - name: seed
          disk: { bus: virtio }
      interfaces:
        - name: default
          masquerade: {}
  networks:
    - name: default
      pod: {}
  volumes:
    - name: root
      containerDisk:
        image: ${DEMO_DISK}
    - name: scratch
      emptyDisk:
        capacity: 64Mi
    - name: seed
      cloudInitNoCloud:
        userData: |
          #cloud-config
          hostname: ${name}
`;
}

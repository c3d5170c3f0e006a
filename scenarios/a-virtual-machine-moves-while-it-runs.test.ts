import { untilObject } from '@smalt/bed-kubernetes';
import {
  virtualMachineInstanceMigrationKind,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { beginToCount, countOnConsole, countsOf } from './virtual-machines/count-on-disk.ts';
import { CRAWL } from './virtual-machines/migration-policy.ts';
import { nodeRemains } from './virtual-machines/node-remains.ts';
import type { VmHost } from './virtual-machines/vm-host.ts';
import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

const WAIT_MS = 120_000;

let world: VmWorld;
let born: VirtualMachineInstance;

beforeAll(async () => {
  world = await startVmWorld({ hosts: 2, signal: AbortSignal.timeout(2 * WAIT_MS) });
}, 2 * WAIT_MS);

afterAll(() => world[Symbol.asyncDispose](), 60_000);

// One guest, slow to boot, counts through all of it in this order.
describe('a virtual machine that counts', { timeout: 300_000 }, () => {
  it('begins on one of two hosts', async () => {
    await world.kubectl(['apply', '-f', '-'], MACHINE);
    await world.untilInstance('traveller', ({ status }) => status?.phase === 'Running', WAIT_MS);
    await beginToCount('traveller', '/dev/vdc', world.control.server.kubeconfig);

    born = await world.untilInstance('traveller', ({ status }) => status?.interfaces?.[0]?.ipAddress !== undefined);

    expect(born.status?.nodeName).toMatch(/^hv[12]$/);
    expect(conditions(born)).toMatchObject({ LiveMigratable: 'True' });
  });

  it('moves when it is told to, with its addresses, and leaves nothing behind', async () => {
    const [source, target] = hostsOf(born);
    const before = await counted();

    await world.kubectl(['apply', '-f', '-'], migration('first'));
    const { status } = await untilMigration('first', isOver);
    const moved = await instance();

    expect(status?.phase).toBe('Succeeded');
    expect(moved.metadata.uid).toBe(born.metadata.uid);
    expect(moved.status).toMatchObject({
      phase: 'Running',
      nodeName: target.name,
      migrationState: { completed: true, sourceNode: source.name, targetNode: target.name },
    });
    expect(moved.metadata.labels).toMatchObject({ 'kubevirt.io/nodeName': target.name });
    expect(addresses(moved)).toEqual(addresses(born));
    expect(await counted()).toBeGreaterThan(before);
    await expect.poll(() => nodeRemains(source), { timeout: WAIT_MS }).toEqual([]);
    expect(await source.machine.exec(['ps', '-eo', 'args='])).not.toContain('dnsmasq');
    expect(await launcherPods()).toEqual([`${target.name} Running`]);
  });

  it('stays when the migration is deleted on its way', async () => {
    const [source, target] = hostsOf(await instance());
    await world.kubectl(['apply', '-f', '-'], CRAWL);
    await world.kubectl(['label', 'vmi', 'traveller', 'pace=crawl']);
    await world.kubectl(['apply', '-f', '-'], migration('second'));
    await world.untilInstance('traveller', isOnItsWay, WAIT_MS);

    await world.kubectl(['delete', 'vmim', 'second', '--wait=true', `--timeout=${WAIT_MS / 1000}s`]);
    const stayed = await instance();

    expect(stayed.status).toMatchObject({
      phase: 'Running',
      nodeName: source.name,
      migrationState: { completed: true, failed: true, abortStatus: 'Succeeded' },
    });
    await expect.poll(() => nodeRemains(target), { timeout: WAIT_MS }).toEqual([]);
    expect(await launcherPods()).toEqual([`${source.name} Running`]);
    await world.kubectl(['label', 'vmi', 'traveller', 'pace-']);
  });

  it('leaves a node that is drained', async () => {
    const [source, target] = hostsOf(await instance());

    const words = ['--pod-selector=kubevirt.io=virt-launcher', '--delete-emptydir-data', '--force'];
    await world.kubectl(['drain', source.name, ...words, `--timeout=${WAIT_MS / 1000}s`]);
    const moved = await instance();

    expect(moved.metadata.uid).toBe(born.metadata.uid);
    expect(moved.status).toMatchObject({ phase: 'Running', nodeName: target.name });
    expect(addresses(moved)).toEqual(addresses(born));
    await expect.poll(() => nodeRemains(source), { timeout: WAIT_MS }).toEqual([]);
    expect(await launcherPods()).toEqual([`${target.name} Running`]);
  });

  it('has lost no number on all its ways, neither in its memory nor on its disk', async () => {
    const shown = await counted();
    const here = await instance();
    await world.control.admin.text({
      method: 'PUT',
      path: '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/traveller/pause',
      body: '{}',
    });
    await world.untilInstance('traveller', (each) => conditions(each)['Paused'] === 'True');

    const boots = await countsOf(hostsOf(here)[0], here, 'counts');

    expect(boots).toHaveLength(1);
    expect(boots[0]?.records).toBeGreaterThanOrEqual(shown);
  });
});

async function instance(): Promise<VirtualMachineInstance> {
  return await world.instances.get('traveller', { namespace: 'default' });
}

async function counted(): Promise<number> {
  return await countOnConsole('traveller', world.control.server.kubeconfig);
}

/** Where it is, and the other one. */
function hostsOf({ status }: VirtualMachineInstance): readonly [VmHost, VmHost] {
  const here = world.hosts.find(({ name }) => name === status?.nodeName);
  const there = world.hosts.find(({ name }) => name !== status?.nodeName);
  if (here === undefined || there === undefined) throw new Error(`it is on ${status?.nodeName}`);
  return [here, there];
}

async function untilMigration(
  name: string,
  isWanted: (migration: VirtualMachineInstanceMigration) => boolean,
): Promise<VirtualMachineInstanceMigration> {
  const objects = world.control.admin.resource(virtualMachineInstanceMigrationKind);
  return await untilObject({ objects, namespace: 'default', name, isWanted, timeoutMs: WAIT_MS });
}

/** What stands there of the migration before it does not count. */
function isOnItsWay({ status }: VirtualMachineInstance): boolean {
  return status?.migrationState?.mode === 'PreCopy' && status.migrationState.completed !== true;
}

function isOver({ status }: VirtualMachineInstanceMigration): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Of those that were not put away yet, where they are. */
async function launcherPods(): Promise<readonly string[]> {
  const columns = 'custom-columns=NODE:.spec.nodeName,PHASE:.status.phase';
  const table = await world.kubectl(['get', 'pods', '-l', 'kubevirt.io=virt-launcher', '--no-headers', '-o', columns]);
  const rows = table.split('\n').filter((row) => row !== '');
  return rows.map((row) => row.trim().replaceAll(/ +/gu, ' ')).filter((row) => !row.endsWith('Succeeded'));
}

function addresses({ status }: VirtualMachineInstance): readonly unknown[] {
  return (status?.interfaces ?? []).map(({ mac, ipAddress }) => [mac, ipAddress]);
}

function conditions({ status }: VirtualMachineInstance): Readonly<Record<string, string>> {
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status: value }) => [type, value]));
}

function migration(name: string): string {
  const head = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceMigration' };
  return JSON.stringify({ ...head, metadata: { name }, spec: { vmiName: 'traveller' } });
}

const MACHINE = `
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: traveller
spec:
  runStrategy: Always
  template:
    spec:
      hypervisor: qemu
      evictionStrategy: LiveMigrate
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
            - name: counts
              disk:
                bus: virtio
          interfaces:
            - name: default
              masquerade: {}
      networks:
        - name: default
          pod: {}
      volumes:
        - name: root
          containerDisk:
            image: demo
        - name: seed
          cloudInitNoCloud:
            userData: |
              #cloud-config
              hostname: traveller
        - name: counts
          emptyDisk:
            capacity: 4Mi
`;

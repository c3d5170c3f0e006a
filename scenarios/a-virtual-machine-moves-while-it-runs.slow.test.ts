import { untilObject } from '@smalt/bed-kubernetes';
import {
  virtualMachineInstanceMigrationKind,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CRAWL, MIGRATION_POLICIES } from './virtual-machines/migration-policy.ts';
import { nodeRemains } from './virtual-machines/node-remains.ts';
import { SmaltConsole } from './virtual-machines/smalt-console.ts';
import { readTicks, tickTo } from './virtual-machines/ticks-on-disk.ts';
import type { VmHost } from './virtual-machines/vm-host.ts';
import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

const WAIT_MS = 120_000;

let world: VmWorld;
let born: VirtualMachineInstance;

beforeAll(async () => {
  world = await startVmWorld({ hosts: 2, definitions: [MIGRATION_POLICIES], signal: AbortSignal.timeout(WAIT_MS) });
}, WAIT_MS);

afterAll(() => world[Symbol.asyncDispose](), 60_000);

// One guest, slow to boot, counts through all of it in this order.
describe('a virtual machine that counts', { timeout: 300_000 }, () => {
  it('begins on one of two hosts', async () => {
    await world.kubectl(['apply', '-f', '-'], MACHINE);
    await world.untilInstance('traveller', ({ status }) => status?.phase === 'Running', WAIT_MS);
    await using console = new SmaltConsole('traveller', world.control.server.kubeconfig);
    console.type('\n');
    await console.shows('traveller login:');
    console.type('root\n');
    await console.shows('# ');
    console.type(tickTo('/dev/vdc'));
    await console.shows(/^tick 3/m);

    born = await world.untilInstance('traveller', ({ status }) => status?.interfaces?.[0]?.ipAddress !== undefined);

    expect(born.status?.nodeName).toMatch(/^hv[12]$/);
    expect(conditions(born)).toMatchObject({ LiveMigratable: 'True' });
  });

  it('moves when it is told to, with its addresses, and leaves nothing behind', async () => {
    const [source, target] = hostsOf(born);
    const before = await lastTick();

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
    expect(await lastTick()).toBeGreaterThan(before);
    await expect.poll(() => nodeRemains(source), { timeout: WAIT_MS }).toEqual([]);
    expect(await source.machine.exec(['ps', '-eo', 'args='])).not.toContain('dnsmasq');
    expect(await launcherPods()).toEqual([`${target.name} Running`]);
  });

  it('stays when the migration is deleted on its way', async () => {
    const [source, target] = hostsOf(await instance());
    await world.kubectl(['apply', '-f', '-'], CRAWL);
    await world.kubectl(['label', 'vmi', 'traveller', 'pace=crawl']);
    await world.kubectl(['apply', '-f', '-'], migration('second'));
    await world.untilInstance('traveller', ({ status }) => status?.migrationState?.mode === 'PreCopy', WAIT_MS);

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

  it('has lost no tick on all its ways, neither in its memory nor on its disk', async () => {
    const shown = await lastTick();
    const here = await instance();
    await world.control.admin.text({
      method: 'PUT',
      path: '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/traveller/pause',
      body: '{}',
    });
    await world.untilInstance('traveller', (each) => conditions(each)['Paused'] === 'True');

    const { boots, count } = await readTicks(hostsOf(here)[0], here, 'ticks');

    expect(boots).toHaveLength(1);
    expect(count).toBeGreaterThan(shown);
  });
});

async function instance(): Promise<VirtualMachineInstance> {
  return await world.instances.get('traveller', { namespace: 'default' });
}

/** Where it is, and the other one. */
function hostsOf({ status }: VirtualMachineInstance): readonly [VmHost, VmHost] {
  const here = world.hosts.find(({ name }) => name === status?.nodeName);
  const there = world.hosts.find(({ name }) => name !== status?.nodeName);
  if (here === undefined || there === undefined) throw new Error(`it is on ${status?.nodeName}`);
  return [here, there];
}

/** What a person sees who looks at the console now. */
async function lastTick(): Promise<number> {
  await using console = new SmaltConsole('traveller', world.control.server.kubeconfig);
  await console.shows(/^tick \d+\r?\n/m);
  const [, number] = /^tick (\d+)\r?\n/m.exec(console.printed) ?? [];
  return Number(number);
}

async function untilMigration(
  name: string,
  isWanted: (migration: VirtualMachineInstanceMigration) => boolean,
): Promise<VirtualMachineInstanceMigration> {
  const objects = world.control.admin.resource(virtualMachineInstanceMigrationKind);
  return await untilObject({ objects, namespace: 'default', name, isWanted, timeoutMs: WAIT_MS });
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
            - name: ticks
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
        - name: ticks
          emptyDisk:
            capacity: 4Mi
`;

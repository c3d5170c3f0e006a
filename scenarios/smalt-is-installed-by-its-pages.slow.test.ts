import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  CLAIM,
  missingForInstallation,
  startInstallationWorld,
  type InstallationWorld,
} from './installation/installation-world.ts';
import { countOnConsole } from './virtual-machines/count-on-disk.ts';
import { CRAWL } from './virtual-machines/migration-policy.ts';
import { SmaltConsole } from './virtual-machines/smalt-console.ts';

const missing = missingForInstallation();
const needs = missing === undefined ? '' : ` (skipped: ${missing})`;
const MINUTE_MS = 60_000;
const SYSTEM = ['-n', 'smalt-system'] as const;
const HYPERVISOR = ['node-role.kubernetes.io/hypervisor=', 'nova.openstack.cloud.sap/virt-driver=kvm'];
const WORKLOADS = [
  'daemonset/smalt-node-agent',
  'daemonset/virt-handler',
  'deployment/smalt-console',
  'deployment/smalt-ha-service',
  'deployment/smalt-hypervisor-operator',
  'deployment/virt-api',
  'deployment/virt-controller',
];
let world: InstallationWorld;

beforeAll(async () => {
  if (missing === undefined) world = await startInstallationWorld(AbortSignal.timeout(10 * MINUTE_MS));
}, 11 * MINUTE_MS);

afterAll(async () => await world?.[Symbol.asyncDispose](), 2 * MINUTE_MS);

// One cluster, one machine, in this order.
describe.skipIf(missing !== undefined)(
  `Smalt, on two nodes without a libvirt of their own,${needs}`,
  { timeout: 12 * MINUTE_MS },
  () => {
    it('is installed, and all of it becomes ready', async () => {
      await world.kubectl(['label', 'node', 'node2', ...HYPERVISOR]);

      await world.reader.follow('install.md', 'helm install smalt');
      await world.kubectl(['apply', '-f', '-'], CLAIM);

      await untilReady();
      const told = await world.reader.follow('install.md', 'npx smalt doctor');
      expect(told).toMatch(/v1\.subresources\.kubevirt\.io +smalt-system\/virt-api +True/);
      expect(told).toMatch(/node1 .* true\n(.*\n)*node2 .* true/);
    });

    it('runs the first machine in the managed libvirtd', async () => {
      await world.reader.write('first.yaml', 'metadata: { name: first');
      await world.reader.follow('install.md', 'kubectl apply -f first.yaml', {
        without: ['--watch', 'smalt console', 'smalt migrate', 'delete vm'],
      });

      const instance = await running();
      await beginToCount();

      const node = world.node(instance.status?.nodeName);
      const [guest, libvirtd] = [await guestProcess(instance), await processOn(instance, '^/usr/sbin/libvirtd')];
      const roots = [guest, libvirtd].map((process) => node.run(['readlink', `/proc/${process}/ns/mnt`]));
      expect(new Set(await Promise.all(roots)).size).toBe(1);
      // In the cgroup of its launcher, and not in that of the pod that it was started in.
      const launcher = await podsOf('kubevirt.io=virt-launcher', '{.items[0].metadata.uid}');
      const cgroups = (await node.run(['cat', `/proc/${guest}/cgroup`])).trim().split('\n');
      expect(cgroups.filter((line) => line.includes('/kubepods') && !line.includes(launcher))).toEqual([]);
    });

    it('keeps the machine in its own process while libvirtd is replaced, node by node', async () => {
      const before = await running();
      const guest = await guestProcess(before);
      const libvirtds = await podsOf('app.kubernetes.io/name=smalt-libvirt', '{.items[*].metadata.uid}');
      const count = await counted();

      for (const { name } of world.cluster.nodes) await replaceLibvirtd(name);

      const others = await podsOf('app.kubernetes.io/name=smalt-libvirt', '{.items[*].metadata.uid}');
      expect(others.split(' ').filter((uid) => libvirtds.includes(uid))).toEqual([]);
      // Only a handler that has found the new daemon, and the guest in it, can do this.
      await expect.poll(() => act('pause'), { timeout: 2 * MINUTE_MS, interval: 1_000 }).toBe('done');
      await world.untilInstance('first', (each) => isTrue(each, 'Paused'));
      await act('unpause');
      await world.untilInstance('first', (each) => !isTrue(each, 'Paused'));
      const after = await running();
      expect([await guestProcess(after), after.metadata.uid]).toEqual([guest, before.metadata.uid]);
      expect(await counted()).toBeGreaterThan(count);
    });

    it('moves the machine to the other node, encrypted by the certificates that were made for both', async () => {
      const before = await running();
      const count = await counted();
      await world.kubectl(['apply', '-f', '-'], CRAWL);
      await world.kubectl(['label', 'vmi', 'first', 'pace=crawl']);
      await world.kubectl(['apply', '-f', '-'], MIGRATION);
      await world.untilInstance('first', ({ status }) => status?.migrationState?.mode === 'PreCopy');

      const asked = JSON.stringify({ execute: 'query-migrate-parameters' });
      const domain = ['virsh', 'qemu-monitor-command', 'default_first', asked] as const;
      const parameters = await world.node(before.status?.nodeName).run(domain);
      await world.kubectl(['delete', 'vmim', 'slow', '--timeout=120s']);
      await world.kubectl(['label', 'vmi', 'first', 'pace-']);
      await world.reader.follow('install.md', 'kubectl apply -f first.yaml', {
        without: ['--watch', 'smalt console', 'apply', 'delete vm'],
      });

      const after = await running();
      expect(parameters).toMatch(/"tls-creds":"[^"]+"/);
      expect(after.metadata.uid).toBe(before.metadata.uid);
      expect(after.status?.nodeName).not.toBe(before.status?.nodeName);
      expect(await counted()).toBeGreaterThan(count);
    });

    it('has it leave a node that is drained, by the eviction of its pod', async () => {
      const before = await running();
      const from = before.status?.nodeName ?? '';

      const told = await drain(from);

      const after = await running();
      expect(told).toContain('evicting pod default/');
      expect(after.metadata.uid).toBe(before.metadata.uid);
      expect(after.status?.nodeName).not.toBe(from);
      await world.kubectl(['uncordon', from]);
      await untilReady();
    });

    it('is looked at, upgraded, put back and backed up as the pages say', async () => {
      const guest = await guestProcess(await running());

      await world.reader.follow('install.md', 'create token viewer', { without: ['port-forward'] });
      await world.reader.follow('upgrade.md', 'kubectl diff');
      await world.reader.follow('upgrade.md', 'helm upgrade smalt');
      await untilReady();
      await world.reader.follow('upgrade.md', 'helm rollback smalt');
      await untilReady();
      await world.reader.follow('backup.md', '--backup-to');

      expect(await guestProcess(await running())).toBe(guest);
    });

    it('is not needed by the machine, which runs on without it and is found again by the next', async () => {
      const before = await running();
      const guest = await guestProcess(before);

      await world.reader.follow('uninstall.md', 'helm uninstall smalt', { without: ['kubectl delete', '# or'] });
      await world.kubectl([...SYSTEM, 'wait', '--for=delete', 'pod', '--all', '--timeout=180s']);
      const alone = await guestProcess(before);
      await world.reader.follow('install.md', 'helm install smalt', {
        without: ['create namespace', 'label'],
      });
      await untilReady();

      expect([alone, await guestProcess(await running())]).toEqual([guest, guest]);
      await expect.poll(() => counted(), { timeout: 2 * MINUTE_MS }).toBeGreaterThan(0);
    });

    it('lets the machine go when it is told to, and goes itself', async () => {
      await world.reader.follow('install.md', 'kubectl apply -f first.yaml', {
        without: ['kubectl apply', '--watch', 'npx'],
      });
      await world.kubectl(['wait', '--for=delete', 'vmi', 'first', '--timeout=180s']);
      await world.reader.follow('backup.md', 'scale deployment virt-controller');
      await world.reader.follow('backup.md', 'for proof in fenced-at');
      await world.reader.follow('uninstall.md', 'helm uninstall smalt', { without: ['kubectl delete', '# or'] });
      await world.reader.follow('uninstall.md', 'smalt.dev/delete-with-all-objects');
      await world.reader.follow('uninstall.md', 'kubevirt.io/schedulable-');

      expect(world.reader.left).toEqual([]);
    });
  },
);

/** All that the chart runs, and the libvirtd of each node. */
async function untilReady(): Promise<void> {
  const waits = WORKLOADS.map((name) => world.kubectl([...SYSTEM, 'rollout', 'status', name, '--timeout=600s']));
  const late = (await Promise.allSettled(waits)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (late.length > 0) throw new AggregateError(late, await whatIsWrong());
  const libvirtd = ['pod', '-l', 'app.kubernetes.io/name=smalt-libvirt'];
  await world.kubectl([...SYSTEM, 'wait', ...libvirtd, '--for=condition=Ready', '--timeout=400s']);
}

/** What the cluster and the pods say, for whoever looks why. */
async function whatIsWrong(): Promise<string> {
  const questions = [
    ['get', 'pods', '-o', 'wide'],
    ['get', 'events', '--sort-by=.lastTimestamp'],
    ['logs', '-l', 'app.kubernetes.io/part-of=smalt', '--prefix', '--tail=15'],
  ];
  const answers = questions.map((words) => world.kubectl([...SYSTEM, ...words]).catch(String));
  return (await Promise.all(answers)).join('\n');
}

async function replaceLibvirtd(node: string): Promise<void> {
  const told = await world.reader.follow('upgrade.md', 'app.kubernetes.io/name=smalt-libvirt', {
    names: { hv1: node },
  });
  expect(told).toContain('condition met');
}

async function drain(node: string): Promise<string> {
  const words = ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=300s'];
  return await world.kubectl(words);
}

async function running(): Promise<VirtualMachineInstance> {
  return await world.untilInstance('first', ({ status }) => status?.phase === 'Running');
}

async function guestProcess(instance: VirtualMachineInstance): Promise<string> {
  return await processOn(instance, 'guest=default_first,');
}

async function processOn({ status }: VirtualMachineInstance, words: string): Promise<string> {
  const node = world.node(status?.nodeName);
  return (await node.run(['pgrep', '-f', '--', words]).catch(() => '')).trim();
}

async function podsOf(selector: string, path: string): Promise<string> {
  return await world.kubectl(['get', 'pods', '-A', '-l', selector, '-o', `jsonpath=${path}`]);
}

async function beginToCount(): Promise<void> {
  await using console = new SmaltConsole('first', world.cluster.kubeconfig);
  // What was printed before is gone; a key makes it ask again.
  console.type('\n');
  await console.shows('login:');
  console.type('root\n');
  await console.shows('# ');
  console.type('n=0; while :; do n=$((n+1)); echo "count $n"; sleep 0.5; done &\n');
  await console.shows(/^count 3\b/m);
}

async function counted(): Promise<number> {
  return await countOnConsole('first', world.cluster.kubeconfig);
}

async function act(subresource: string): Promise<string> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/first/${subresource}`;
  return await world.admin.text({ method: 'PUT', path, body: '{}' }).then(
    () => 'done',
    (error: unknown) => String(error),
  );
}

function isTrue({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;
}

const MIGRATION = JSON.stringify({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'slow' },
  spec: { vmiName: 'first' },
});

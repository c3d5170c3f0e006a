import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FirstMachine } from './installation/first-machine.ts';
import {
  CLAIM,
  missingForInstallation,
  startInstallationWorld,
  type InstallationWorld,
} from './installation/installation-world.ts';
import { untilReady } from './installation/until-ready.ts';
import { CRAWL } from './virtual-machines/migration-policy.ts';

const missing = missingForInstallation();
const needs = missing === undefined ? '' : ` (skipped: ${missing})`;
const MINUTE_MS = 60_000;
const SYSTEM = ['-n', 'smalt-system'] as const;
const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };
const HYPERVISOR = ['node-role.kubernetes.io/hypervisor=', 'nova.openstack.cloud.sap/virt-driver=kvm'];
let world: InstallationWorld;
let machine: FirstMachine;
let bare: readonly string[];

beforeAll(async () => {
  if (missing !== undefined) return;
  world = await startInstallationWorld('on a cluster', AbortSignal.timeout(10 * MINUTE_MS));
  machine = new FirstMachine(world);
  bare = await namesOnNodes();
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

      await untilReady(world);
      const told = await world.reader.follow('install.md', 'npx smalt doctor');
      expect(told).toMatch(/v1\.subresources\.kubevirt\.io +smalt-system\/virt-api +True/);
      expect(told).toMatch(/node1 .* true\n(.*\n)*node2 .* true/);
    });

    it('runs the first machine in the managed libvirtd', async () => {
      const instance = await machine.start();

      const node = world.node(instance.status?.nodeName);
      const [guest, libvirtd] = [
        await machine.guestProcess(instance),
        await machine.processOn(instance, '^/usr/sbin/libvirtd'),
      ];
      const roots = [guest, libvirtd].map((process) => node.run(['readlink', `/proc/${process}/ns/mnt`]));
      expect(new Set(await Promise.all(roots)).size).toBe(1);
      // In the cgroup of its launcher, and not in that of the pod that it was started in.
      const launcher = (await machine.launcher()).uid;
      const cgroups = (await node.run(['cat', `/proc/${guest}/cgroup`])).trim().split('\n');
      expect(cgroups.filter((line) => line.includes('/kubepods') && !line.includes(launcher))).toEqual([]);
    });

    it('moves the machine to the other node, encrypted by the certificates that were made for both', async () => {
      const before = await machine.running();
      const count = await machine.counted();
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

      const after = await machine.running();
      expect(parameters).toMatch(/"tls-creds":"[^"]+"/);
      expect(after.metadata.uid).toBe(before.metadata.uid);
      expect(after.status?.nodeName).not.toBe(before.status?.nodeName);
      expect(await machine.counted()).toBeGreaterThan(count);
    });

    it('shows a certificate that was made anew to whoever connects, and the machine runs on', async () => {
      const instance = await machine.running();
      const { nodeName = '' } = instance.status ?? {};
      const guest = await machine.guestProcess(instance);
      const before = await shownBy(nodeName);

      await world.kubectl(['delete', 'secret', `tls-libvirt-${nodeName}`, '-n', 'smalt-libvirt']);
      await world.kubectl([...SYSTEM, 'create', 'job', 'certificates-now', '--from=cronjob/smalt-certificates']);

      expect(before).toContain('sha256');
      await expect.poll(() => shownBy(nodeName), { timeout: 3 * MINUTE_MS, interval: 1000 }).not.toBe(before);
      expect(await machine.guestProcess(await machine.running())).toBe(guest);
    });

    it('has it leave a node that is drained, by the eviction of its pod', async () => {
      const before = await machine.running();
      const from = before.status?.nodeName ?? '';

      const told = await drain(from);

      const after = await machine.running();
      expect(told).toContain('evicting pod default/');
      expect(after.metadata.uid).toBe(before.metadata.uid);
      expect(after.status?.nodeName).not.toBe(from);
      await world.kubectl(['uncordon', from]);
      await untilReady(world);
    });

    it('is looked at and backed up as the pages say', async () => {
      const guest = await machine.guestProcess(await machine.running());

      await world.reader.follow('install.md', 'create token viewer', { without: ['port-forward'] });
      await untilReady(world);
      await world.reader.follow('backup.md', '--backup-to');

      expect(await machine.guestProcess(await machine.running())).toBe(guest);
    });

    it('is not needed by the machine, which runs on without it and is found again by the next', async () => {
      const before = await machine.running();
      const guest = await machine.guestProcess(before);

      await world.reader.follow('uninstall.md', 'helm uninstall smalt', { without: ['kubectl delete', '# or'] });
      await world.kubectl([...SYSTEM, 'wait', '--for=delete', 'pod', '--all', '--timeout=180s']);
      const alone = await machine.guestProcess(before);
      await world.reader.follow('install.md', 'helm install smalt', {
        without: ['create namespace', 'label'],
      });
      await untilReady(world);

      expect([alone, await machine.guestProcess(await machine.running())]).toEqual([guest, guest]);
      await expect.poll(() => machine.counted(), { timeout: 2 * MINUTE_MS }).toBeGreaterThan(0);
    });

    it('lets the machine go when it is told to, and goes itself', async () => {
      await world.reader.follow('install.md', 'kubectl apply -f first.yaml', {
        without: ['kubectl apply', '--watch', 'npx'],
      });
      await world.kubectl(['wait', '--for=delete', 'vmi', 'first', '--timeout=180s']);
      await world.reader.follow('backup.md', 'scale deployment virt-controller');
      await world.reader.follow('backup.md', 'for proof in fenced-at');
      const written = await namesOnNodes();
      await world.reader.follow('uninstall.md', 'helm uninstall smalt', { without: ['kubectl delete', '# or'] });
      await world.reader.follow('uninstall.md', 'kubectl annotate crd');
      await world.reader.follow('uninstall.md', 'xargs -r kubectl');

      expect(written.filter((name) => name.startsWith('node1 cpu-model.node.kubevirt.io/'))).not.toEqual([]);
      expect(await namesOnNodes()).toEqual(bare);
      expect(world.reader.left).toEqual([]);
    });
  },
);

/** The labels and annotations of all Nodes by their names, but for those that Kubernetes writes itself. */
async function namesOnNodes(): Promise<readonly string[]> {
  const { items } = await world.admin.resource(nodeKind).list();
  const names = items.flatMap(({ metadata: { name, labels, annotations } }) =>
    Object.keys({ ...labels, ...annotations }).map((each) => `${name} ${each}`),
  );
  return names.filter((each) => each.includes('node-role') || !/kubernetes[.]io\//.test(each)).toSorted();
}

/** The fingerprint of the certificate that the libvirtd of a node shows, which listens on the address of the node alone. */
async function shownBy(nodeName: string): Promise<string> {
  const node = world.node(nodeName);
  const connect = `openssl s_client -connect ${node.address}:16514 </dev/null 2>/dev/null`;
  return await node.run(['sh', '-c', `${connect} | openssl x509 -noout -fingerprint -sha256`]);
}

async function drain(node: string): Promise<string> {
  const words = ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=300s'];
  return await world.kubectl(words);
}

const MIGRATION = JSON.stringify({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'slow' },
  spec: { vmiName: 'first' },
});

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { readFleetDefinitions } from '@smalt/fleet-api';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readCounts, type CountedBoot } from './counting-guest.ts';
import { OnCall } from './on-call.ts';
import { beginToCount, countOnConsole } from './virtual-machines/count-on-disk.ts';
import { startFleetGuard, type FleetGuard } from './virtual-machines/fleet-guard.ts';
import { nodeRemains } from './virtual-machines/node-remains.ts';
import type { PoweredHost } from './virtual-machines/powered-host.ts';
import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

const WAIT_MS = 240_000;
/** The first one counts. */
const MACHINES = ['keeper', 'companion'];
const POLL = { timeout: WAIT_MS, interval: 200 };
/** Nodes renew their leases every ten seconds; on a busy machine the one that is left must not be missed as well. */
const LEASE_MS = 30_000;

// Two machines, one of which counts on a disk that both hosts see, live through all of it in this order. Nothing can be tried
// again.
describe('a virtual machine whose host is lost', { timeout: 500_000, retry: 0 }, () => {
  const owned = new AsyncDisposableStack();
  let world: VmWorld;
  let guard: FleetGuard;
  let onCall: OnCall;
  let disk: string;
  let born: readonly VirtualMachineInstance[];

  beforeAll(async () => {
    const signal = AbortSignal.timeout(WAIT_MS);
    const definitions = await readFleetDefinitions();
    world = owned.use(await startVmWorld({ hosts: 2, definitions, featureGates: ['HostDisk'], signal }));
    const shared = join(world.directory, 'shared');
    await mkdir(shared, { mode: 0o711 });
    disk = join(shared, 'counts.img');
    guard = owned.use(await startFleetGuard(world, CONFIG));
    onCall = new OnCall(guard.service);
    // Both have to be on the host that will be lost.
    await world.kubectl(['cordon', 'hv2']);
    await world.kubectl(['apply', '-f', '-'], `${machine(disk)}---${COMPANION}`);
    for (const name of MACHINES) await world.untilInstance(name, isRunning, WAIT_MS);
    await world.kubectl(['uncordon', 'hv2']);
    await beginToCount('keeper', '/dev/vdc', kubeconfig());
    born = await instances();
  }, 480_000);

  afterAll(() => owned.disposeAsync(), 60_000);

  it('is started nowhere else while nobody can prove that the host is off, though its guest counts on', async () => {
    const [lost] = hosts();
    lost.bmc.faults = { hangs: 'all' };
    // Who was never heard cannot be missed.
    for (const { name } of guard.hosts) await expect.poll(() => heardOf(name), POLL).toContain('agent');

    await lost.host.machine.cut();
    const noProof = { state: 'fencing', needsPerson: true, wait: { reason: 'no-proof' } };
    await expect.poll(() => onCall.incidentOf(lost.name), POLL).toMatchObject(noProof);
    const before = total(await readCounts(disk));
    // Whoever cleans up pods of nodes that are away proves nothing by it.
    const words = ['--force', '--grace-period=0', '--wait=false'];
    await world.kubectl(['delete', 'pods', '-l', 'kubevirt.io=virt-launcher', ...words]);
    await expect.poll(async () => total(await readCounts(disk)), POLL).toBeGreaterThan(before + 3);

    expect((await instances()).map(idAndPlace)).toEqual(born.map(idAndPlace));
    expect(await readCounts(disk)).toHaveLength(1);
    expect(await guestsOn(lost)).toBe(2);
    expect([lost.offAt, await fencedAt(lost)]).toEqual([undefined, undefined]);
  });

  it('runs on the other host as soon as that is proved, and never on both', async () => {
    const [lost, other] = hosts();

    lost.bmc.faults = {};
    const old = new Set(born.map(({ metadata }) => metadata.uid));
    for (const name of MACHINES) {
      await world.untilInstance(name, (each) => !old.has(each.metadata.uid) && isRunning(each), WAIT_MS);
    }
    await beginToCount('keeper', '/dev/vdc', kubeconfig());
    const started = await instances();

    expect(started.map(({ status }) => status?.nodeName)).toEqual([other.name, other.name]);
    expect(lost.isOn).toBe(false);
    expect(await readCounts(disk)).toHaveLength(2);
    expect(await guestsOn(other)).toBe(2);
    await onCall.ends(lost.name, 'recovered');
  });

  it('was given up by two signs of its death, an order to switch off, and two looks at the power, in this order', async () => {
    const [lost] = hosts();
    const started = await instances();

    const incident = await onCall.incidentOf(lost.name);

    expect(incident?.condemnedBy.toSorted()).toEqual(['agent', 'node-lease']);
    expect(incident).toMatchObject({
      fences: expect.arrayContaining([{ method: 'bmc', answer: 'the order was taken', askedAt: expect.any(String) }]),
    });
    const end = { state: 'recovered', outcome: '2 instances were rebuilt' };
    expect(incident).toMatchObject({ ...end, proof: { kind: 'readings' } });
    // They are not called rebuilt before they run.
    const endedAt = Date.parse(incident?.closedAt ?? '');
    for (const { status } of started) {
      const running = status?.phaseTransitionTimestamps?.find(({ phase }) => phase === 'Running');
      expect(endedAt).toBeGreaterThanOrEqual(Date.parse(running?.phaseTransitionTimestamp ?? ''));
    }
    const isProvedAt = (await fencedAt(lost)) ?? 0;
    const [firstLook = 0, secondLook = 0] = lost.offReadAt;
    expect(firstLook).toBeGreaterThanOrEqual(lost.offAt ?? Infinity);
    expect(secondLook).toBeGreaterThanOrEqual(firstLook);
    expect(isProvedAt).toBeGreaterThanOrEqual(secondLook);
    // The API tells times in whole seconds.
    for (const { metadata } of started) {
      expect(Date.parse(metadata.creationTimestamp ?? '')).toBeGreaterThanOrEqual(isProvedAt - 1_000);
    }
  });

  it('runs on there when the lost host comes back, which puts away what it finds', async () => {
    const [lost, other] = hosts();

    await lost.powerOn();
    await onCall.release(lost.name);
    await expect.poll(() => onCall.host(lost.name), POLL).toMatchObject({ heldBy: null });
    await expect.poll(() => nodeRemains(lost.host), POLL).toEqual([]);

    const before = await countOnConsole('keeper', kubeconfig());
    expect((await instances()).map(({ status }) => status?.nodeName)).toEqual([other.name, other.name]);
    await expect.poll(() => countOnConsole('keeper', kubeconfig()), POLL).toBeGreaterThan(before);
    expect(await readCounts(disk)).toHaveLength(2);
  });

  it('can be given to that host again', async () => {
    const [lost, other] = hosts();
    await world.kubectl(['cordon', other.name]);
    const [before] = await instances();

    await world.kubectl(['delete', 'vmi', 'keeper', `--timeout=${WAIT_MS / 1000}s`]);
    const started = await world.untilInstance(
      'keeper',
      (each) => each.metadata.uid !== before?.metadata.uid && isRunning(each),
      WAIT_MS,
    );

    expect(started.status?.nodeName).toBe(lost.name);
  });

  function kubeconfig(): string {
    return world.control.server.kubeconfig;
  }

  async function instances(): Promise<readonly VirtualMachineInstance[]> {
    return await Promise.all(MACHINES.map((name) => world.instances.get(name, { namespace: 'default' })));
  }

  /** When it was noted that a host is proved to be off. */
  async function fencedAt({ name }: PoweredHost): Promise<number | undefined> {
    const { metadata } = JSON.parse(await world.kubectl(['get', 'node', name, '-o', 'json']));
    const text = metadata.annotations?.['smalt.dev/fenced-at'];
    return text === undefined ? undefined : Date.parse(text);
  }

  /** The one that they are on first, and the other. */
  function hosts(): readonly [PoweredHost, PoweredHost] {
    const lost = guard.hosts.find(({ name }) => name === 'hv1');
    const other = guard.hosts.find(({ name }) => name === 'hv2');
    if (lost === undefined || other === undefined) throw new Error('there are two hosts');
    return [lost, other];
  }

  async function heardOf(name: string): Promise<readonly string[]> {
    return (await onCall.host(name)).signals.map(({ source }) => source);
  }
});

function isRunning({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running';
}

function idAndPlace({ metadata, status }: VirtualMachineInstance): readonly (string | undefined)[] {
  return [metadata.uid, status?.nodeName];
}

async function guestsOn({ host }: PoweredHost): Promise<number> {
  const processes = await host.machine.exec(['ps', '-eo', 'args=']);
  return processes.split('\n').filter((line) => line.includes('qemu-system')).length;
}

function total(boots: readonly CountedBoot[]): number {
  return boots.reduce((sum, { records }) => sum + records, 0);
}

const CONFIG = {
  detection: {
    judgement: {
      rules: {
        agent: { freshMs: 10_000, deadAfterMs: 15_000 },
        'node-lease': { freshMs: LEASE_MS - 2_000, deadAfterMs: LEASE_MS },
        storage: { freshMs: 3_000, deadAfterMs: 6_000 },
        libvirt: { freshMs: 3_000, deadAfterMs: 3_000 },
        'compute-service': { freshMs: 4_000, deadAfterMs: 1_000 },
      },
      requiredSources: ['agent'],
      agreeMs: 500,
    },
    brakes: { warmUpMs: 1_000, sightMs: 500, maximumMissing: 1, maximumMissingShare: 0.5, intervalMs: 0 },
    recovery: {
      readIntervalMs: 300,
      slowReadIntervalMs: 1_000,
      readTimeoutMs: 2_500,
      proofValidMs: 6_000,
      fenceTimeoutMs: 3_000,
      attemptsPerLevel: 2,
    },
    hostReturn: { steadyMs: 1_000 },
  },
  pace: {
    lookIntervalMs: 300,
    refreshIntervalMs: 1_000,
    followIntervalMs: 300,
    serviceDownMs: 150_000,
    callTimeoutMs: 10_000,
  },
};

/** It finds nothing to boot, and so costs next to nothing. */
const COMPANION = `
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: companion
spec:
  runStrategy: Always
  template:
    spec:
      hypervisor: qemu
      terminationGracePeriodSeconds: 0
      domain:
        cpu:
          model: qemu64
        memory:
          guest: 16Mi
        devices:
          autoattachGraphicsDevice: false
`;

function machine(disk: string): string {
  return `
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: keeper
spec:
  runStrategy: Always
  template:
    spec:
      hypervisor: qemu
      terminationGracePeriodSeconds: 1
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
              hostname: keeper
        - name: counts
          hostDisk:
            path: ${disk}
            type: DiskOrCreate
            capacity: 4Mi
            shared: true
`;
}

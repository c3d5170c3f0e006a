import { isNotFound } from '@smalt/kube';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { nodeRemains } from './virtual-machines/node-remains.ts';
import { SmaltConsole } from './virtual-machines/smalt-console.ts';
import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

let world: VmWorld;
let first: VirtualMachineInstance;

beforeAll(async () => {
  world = await startVmWorld({ hosts: 1, signal: AbortSignal.timeout(240_000) });
}, 240_000);

afterAll(() => world[Symbol.asyncDispose](), 60_000);

// One machine lives through all of it in this order.
describe('a virtual machine', { timeout: 120_000 }, () => {
  it('boots a real guest when kubectl applies it, which offers its login on the console', async () => {
    await world.kubectl(['apply', '-f', '-'], MACHINE);
    first = await world.untilInstance('web', ({ status }) => status?.phase === 'Running');

    await using console = new SmaltConsole('web', world.control.server.kubeconfig);
    // What was printed before is gone; a key makes it ask again.
    console.type('\n');
    await console.shows('web login:');
    const code = await console.leave();

    expect(first.status).toMatchObject({ nodeName: 'hv1', phase: 'Running' });
    expect([code, console.told]).toEqual([0, expect.stringContaining('Ctrl-] leaves it')]);
  });

  it('shows what the agent of the guest says, and its address', async () => {
    const { status } = await world.untilInstance(
      'web',
      (instance) => isTrue(instance, 'AgentConnected') && instance.status?.guestOSInfo?.kernelRelease !== undefined,
    );

    const table = await world.kubectl(['get', 'vmis', 'web']);

    const [card] = status?.interfaces ?? [];
    expect(card).toMatchObject({ name: 'default', mac: expect.stringMatching(/^[0-9a-f:]{17}$/) });
    expect(card?.ipAddress).toMatch(/^10\.222\.\d+\.\d+$/);
    expect(table).toMatch(
      new RegExp(String.raw`web\s+\S+\s+Running\s+${card?.ipAddress?.replaceAll('.', String.raw`\.`)}\s+hv1\s+True`),
    );
  });

  it('is paused and goes on', async () => {
    await act('virtualmachineinstances', 'pause');
    const paused = await world.untilInstance('web', (instance) => isTrue(instance, 'Paused'));
    const twice = act('virtualmachineinstances', 'pause');
    await expect(twice).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('VMI is already paused'),
    });

    await act('virtualmachineinstances', 'unpause');
    const resumed = await world.untilInstance('web', (instance) => !isTrue(instance, 'Paused'));

    expect([paused.metadata.uid, resumed.metadata.uid]).toEqual([first.metadata.uid, first.metadata.uid]);
  });

  it('goes on while its handler and its pod runner are killed and come back', async () => {
    const before = await guestProcess();
    await Promise.all([host().handler?.kill(), host().runner?.kill()]);
    const during = await guestProcess();

    await Promise.all([host().startRunner(), host().startHandler()]);
    // Only a handler that has found the guest again can do this.
    await vi.waitFor(() => act('virtualmachineinstances', 'pause'), { timeout: 30_000, interval: 200 });
    const paused = await world.untilInstance('web', (instance) => isTrue(instance, 'Paused'));
    await act('virtualmachineinstances', 'unpause');
    await world.untilInstance('web', (instance) => !isTrue(instance, 'Paused'));

    expect([during, await guestProcess()]).toEqual([before, before]);
    expect(paused.metadata.uid).toBe(first.metadata.uid);
  });

  it('is another instance after a restart, with the same addresses', async () => {
    const before = await world.untilInstance('web', ({ status }) => status?.interfaces?.[0]?.ipAddress !== undefined);

    await act('virtualmachines', 'restart');
    const after = await world.untilInstance(
      'web',
      ({ metadata, status }) =>
        metadata.uid !== first.metadata.uid &&
        status?.phase === 'Running' &&
        status.interfaces?.[0]?.ipAddress !== undefined,
    );

    expect(addresses(after)).toEqual(addresses(before));
  });

  it('stops and leaves nothing behind, and starts again', async () => {
    await act('virtualmachines', 'stop');
    const stopped = await world.untilMachine('web', ({ status }) => status?.printableStatus === 'Stopped');
    // Its files go once the API knows how it ended.
    await expect.poll(() => nodeRemains(host())).toEqual([]);

    await act('virtualmachines', 'start');
    const started = await world.untilInstance('web', ({ status }) => status?.phase === 'Running');

    expect(stopped.spec.runStrategy).toBe('Halted');
    expect(started.status?.nodeName).toBe('hv1');
  });

  it('is gone with everything when it is deleted', async () => {
    await world.kubectl(['delete', 'vm', 'web', '--wait=true', '--timeout=60s']);

    const instance = world.instances.get('web', { namespace: 'default' });
    await expect(instance).rejects.toSatisfy(isNotFound);
    expect(await world.kubectl(['get', 'pods', '-A', '-o', 'name'])).toBe('');
    await expect.poll(() => nodeRemains(host())).toEqual([]);
  });
});

function host(): VmWorld['hosts'][number] {
  const [only] = world.hosts;
  if (only === undefined) throw new Error('there is one');
  return only;
}

/** The numbers of the guest's processes on its host. */
async function guestProcess(): Promise<string> {
  return await host().machine.exec(['pgrep', '-f', 'guest=default_web']);
}

async function act(plural: string, subresource: string): Promise<void> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/${plural}/web/${subresource}`;
  await world.control.admin.text({ method: 'PUT', path, body: '{}' });
}

function addresses({ status }: VirtualMachineInstance): readonly unknown[] {
  return (status?.interfaces ?? []).map(({ mac, ipAddress }) => [mac, ipAddress]);
}

function isTrue({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;
}

const MACHINE = `
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: web
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
              hostname: web
`;

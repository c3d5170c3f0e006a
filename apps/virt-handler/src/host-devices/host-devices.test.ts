import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printDomain } from '@smalt/domain-xml';
import { findHypervisor } from '@smalt/hypervisors';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { anInstance } from '../sync/fixtures/an-instance.ts';
import { domainContext } from '../sync/start/domain-context.ts';
import { DeviceClaims } from './device-claims.ts';
import { fakeSys, pciDevice, type FakeSys } from './fixtures/fake-sys.ts';
import { devicesIn, givenDevices, variableOf } from './given-devices.ts';
import { hostDeviceOffer } from './host-device-offer.ts';
import { parseHostDevices, resourcesOf } from './host-device-settings.ts';
import { HostDevices } from './host-devices.ts';
import { readNodeDevices } from './read-node-devices.ts';

const SETTINGS = parseHostDevices(['10de:1eb8=nvidia.com/T4', '10de:1eb9=nvidia.com/T5'], ['GRID=nvidia.com/GRID']);
const UUID = '3a1f7f3c-1d2e-4b5a-9c8d-0123456789ab';
const SANDBOX: PodSandbox = {
  podUid: 'p',
  namespace: 'd',
  name: 'n',
  launcher: undefined,
  guestCgroup: undefined,
  volumes: {},
};

let sys: FakeSys;
let state: string;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'smalt-devices-'));
  sys = await fakeSys({
    ...pciDevice('0000:3b:00.0', ['10de', '1eb8'], 'vfio-pci', '16'),
    ...pciDevice('0000:3c:00.0', ['10de', '1eb8']),
    [`bus/mdev/devices/${UUID}/mdev_type/name`]: 'GRID',
  });
});

afterEach(async () => {
  await sys[Symbol.asyncDispose]();
  await rm(state, { recursive: true, force: true });
});

describe('the devices of a node', () => {
  it('are given to guests, each to one, the same each time, also by the next handler', async () => {
    const [first, second] = [await arrive('a', ['nvidia.com/T4']), await arrive('b', ['nvidia.com/T4'])];

    const handler = devices();
    const given = await Promise.all([first, second].map((instance) => handler.find(instance, SANDBOX)));

    const addresses = given.flat().map((device) => device.kind === 'pci' && device.address);
    expect(new Set(addresses)).toEqual(new Set(['0000:3b:00.0', '0000:3c:00.0']));
    expect(await devices().find(first, SANDBOX)).toEqual(given[0]);
  });

  it('are refused when others have them, and free again when these have gone', async () => {
    const first = await arrive('a', ['nvidia.com/T4', 'nvidia.com/T4']);
    const late = await arrive('b', ['nvidia.com/T4']);
    await devices().find(first, SANDBOX);

    await expect(devices().find(late, SANDBOX)).rejects.toThrow(
      'spec.domain.devices.gpus[0]: all 2 devices nvidia.com/T4 of this node belong to other guests',
    );
    await rm(join(state, 'instances/a'), { recursive: true });

    expect(await devices().find(late, SANDBOX)).toHaveLength(1);
  });

  it('are two where a network and a device have one name', async () => {
    const instance = await arrive('a', []);
    const wish = { instance, resource: 'nvidia.com/T4', name: 'same', field: 'f' };

    const first = await devices().give({ ...wish, list: 'interfaces' });
    const second = await devices().give({ ...wish, list: 'hostDevices' });

    expect(second.id).not.toBe(first.id);
    expect(await devices().give({ ...wish, list: 'interfaces' })).toEqual(first);
  });

  it('stay with the guest that an earlier handler wrote down without saying for what', async () => {
    const instance = await arrive('a', ['nvidia.com/T4']);
    await mkdir(join(state, 'claims'), { recursive: true });
    await writeFile(join(state, 'claims/0000:3c:00.0'), JSON.stringify({ uid: 'a', name: 'gpu0' }));

    expect(await devices().find(instance, SANDBOX)).toEqual([{ kind: 'pci', name: 'gpu0', address: '0000:3c:00.0' }]);
  });

  it('stay with a guest when it cannot be seen whether that has gone', async () => {
    await devices().find(await arrive('a', ['nvidia.com/T4', 'nvidia.com/T4']), SANDBOX);
    const late = await arrive('b', ['nvidia.com/T4']);
    await rm(join(state, 'instances'), { recursive: true });
    await writeFile(join(state, 'instances'), 'no directory');

    await expect(devices().find(late, SANDBOX)).rejects.toMatchObject({ code: 'ENOTDIR' });

    expect(await readdir(join(state, 'claims'))).toHaveLength(2);
  });

  it('go to one guest together where the hardware cannot keep them apart', async () => {
    await sys.add({
      ...pciDevice('0000:3d:00.0', ['10de', '1eb9'], 'vfio-pci', '30'),
      ...pciDevice('0000:3d:00.1', ['10de', '1eb9'], 'vfio-pci', '30'),
    });
    const [first, late] = [await arrive('a', ['nvidia.com/T5']), await arrive('b', ['nvidia.com/T5'])];
    await devices().find(first, SANDBOX);

    await expect(devices().find(late, SANDBOX)).rejects.toThrow('all 2 devices nvidia.com/T5 of this node belong to');
  });

  it.each([
    ['nvidia.com/A100', 'this node has no device nvidia.com/A100; name it in the setting hostDevices.pci'],
    ['', 'this node gives devices by deviceName, and knows of no claims; set it'],
  ])('do not include %j, and that is told', async (resource, message) => {
    await expect(devices().find(await arrive('a', [resource]), SANDBOX)).rejects.toThrow(
      `spec.domain.devices.gpus[0]: ${message}`,
    );
  });

  it('are counted for the scheduler', async () => {
    await sys.add(pciDevice('0000:3d:00.0', ['10de', '1eb8'], 'nouveau'));

    expect(await devices().counts()).toEqual({ 'nvidia.com/T4': 2, 'nvidia.com/T5': 0, 'nvidia.com/GRID': 1 });
  });

  it('stand in the XML of a guest by their addresses', async () => {
    const instance = await arrive('a', ['nvidia.com/T4', 'nvidia.com/GRID']);
    const hostDevices = await devices().find(instance, SANDBOX);
    const context = domainContext({
      instance,
      hostDevices,
      directory: '/state',
      volumes: [],
      networks: [],
      kernel: undefined,
      firmware: [],
      sandbox: SANDBOX,
      capabilities: undefined,
      dedicatedCpus: undefined,
      vsockAddress: undefined,
      machineLabel: { manufacturer: 'a', family: 'b', product: 'c' },
    });

    const text = printDomain(findHypervisor('qemu-kvm'), instance, context);

    const found = text.match(/<hostdev [\s\S]*?<\/hostdev>/gu) ?? [];
    expect(found[0]).toContain("<address domain='0x0000' bus='0x3b' slot='0x00' function='0x0'/>");
    expect(found[1]).toContain(`<address uuid='${UUID}'/>`);
  });
});

describe('the devices that a kubelet has given', () => {
  it.each([
    ['PCI_RESOURCE_NVIDIA_COM_T4=0000:3b:00.0,0000:3c:00.0', ['0000:3b:00.0', '0000:3c:00.0']],
    ['HOME=/\0MDEV_PCI_RESOURCE_NVIDIA_COM_T4=u-1', ['u-1']],
    ['PCIDEVICE_NVIDIA_COM_T4=0000:3b:00.0', ['0000:3b:00.0']],
    ['PCI_RESOURCE_NVIDIA_COM_T40=x', undefined],
    ['', undefined],
  ])('are in the environment %j', (environment, ids) => {
    expect(devicesIn(environment, 'nvidia.com/T4')).toEqual(ids);
  });

  it('are the only ones that a guest gets then', async () => {
    const instance = await arrive('a', ['nvidia.com/T4']);
    const env = { [variableOf('PCI_RESOURCE_', 'nvidia.com/T4')]: '0000:3c:00.0' };
    const child = spawn('/bin/sleep', ['60'], { env, stdio: 'ignore' });
    await once(child, 'spawn');

    const given = await devices().find(instance, {
      ...SANDBOX,
      launcher: { processId: child.pid ?? 0, startTicks: 0 },
    });

    child.kill();
    expect(given).toEqual([{ kind: 'pci', name: 'gpu0', address: '0000:3c:00.0' }]);
  });

  it('are the only ones that a guest ever gets under a kubelet, which gives the others to other pods', async () => {
    const instance = await arrive('a', ['nvidia.com/T4']);

    await expect(devices({ hasKubelet: true }).find(instance, SANDBOX)).rejects.toMatchObject({
      code: 'no-device',
      message: expect.stringMatching(/^spec\.domain\.devices\.gpus\[0\]: the kubelet has given the pod .* no device/),
    });
  });

  it('stay those of a guest that has them, also when nobody can tell any more what its pod was given', async () => {
    const instance = await arrive('a', ['nvidia.com/T4']);
    const before = await devices().find(instance, SANDBOX);

    expect(await devices({ hasKubelet: true }).find(instance, SANDBOX)).toEqual(before);
  });

  it('are not guessed when the environment of the launcher cannot be read', async () => {
    // Its environment is a directory, so reading fails otherwise than by its absence.
    const proc = join(state, 'proc');
    await mkdir(join(proc, '7/environ'), { recursive: true });

    const reading = givenDevices({ ...SANDBOX, launcher: { processId: 7, startTicks: 0 } }, 'nvidia.com/T4', proc);

    await expect(reading).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('are offered by their addresses, and told to the container', async () => {
    const offer = hostDeviceOffer({
      resource: 'nvidia.com/T4',
      read: () => readNodeDevices(SETTINGS, sys.path),
      permissions: 'mrw',
    });

    expect(await offer.list()).toEqual([
      { id: '0000:3b:00.0', isHealthy: true, numaNode: 1 },
      { id: '0000:3c:00.0', isHealthy: true, numaNode: 1 },
    ]);
    const allocation = await offer.allocate(['0000:3c:00.0']);
    expect(allocation.environment).toEqual({ PCI_RESOURCE_NVIDIA_COM_T4: '0000:3c:00.0' });
    expect(allocation.deviceNodes.map(({ hostPath }) => hostPath)).toEqual(['/dev/vfio/vfio', '/dev/vfio/17']);
  });
});

/** Devices as a handler sees them that has just started. */
function devices({ hasKubelet = false } = {}): HostDevices {
  const claims = new DeviceClaims({ directory: join(state, 'claims'), instancesDirectory: join(state, 'instances') });
  const read = () => readNodeDevices(SETTINGS, sys.path);
  return new HostDevices({ read, claims, resources: resourcesOf(SETTINGS), hasKubelet });
}

/** An instance whose files are here, with GPUs of these resources. */
async function arrive(uid: string, resources: readonly string[]): Promise<VirtualMachineInstance> {
  await mkdir(join(state, 'instances', uid), { recursive: true });
  const gpus = resources.map((deviceName, index) => ({ name: `gpu${index}`, deviceName }));
  const instance = anInstance({}, { hypervisor: 'qemu-kvm', domain: { memory: { guest: '64Mi' }, devices: { gpus } } });
  return { ...instance, metadata: { ...instance.metadata, uid } };
}

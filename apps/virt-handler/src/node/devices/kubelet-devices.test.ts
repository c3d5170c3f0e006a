import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '@smalt/controller-runtime';
import { createLogger } from '@smalt/service-runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { FakeKubelet } from '../../../../../clients/device-plugin/src/fixtures/fake-kubelet.ts';
import { KubeletDevices } from './kubelet-devices.ts';
import { devicePermissions, slotOffer } from './slot-offer.ts';

const KVM = 'devices.kubevirt.io/kvm';
const TUN = 'devices.kubevirt.io/tun';
const VHOST = 'devices.kubevirt.io/vhost-net';

let owned: AsyncDisposableStack;
let directory: string;
let root: string;
let log: Record<string, unknown>[];

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  const { path } = owned.use(await mkdtempDisposable(join(tmpdir(), 'kubelet-')));
  directory = join(path, 'plugins');
  root = join(path, 'dev');
  log = [];
  await mkdir(directory);
  await mkdir(join(root, 'net'), { recursive: true });
  await symlink('/dev/null', join(root, 'kvm'));
  await symlink('/dev/null', join(root, 'net/tun'));
});

afterEach(() => owned.disposeAsync());

it('offers a thousand slots of each device that is there, and none of one that is not', async () => {
  const kubelet = owned.use(await FakeKubelet.start(directory));
  run();
  await expect.poll(() => [KVM, TUN, VHOST].every((name) => kubelet.lists.has(name))).toBe(true);
  await expect.poll(() => [KVM, TUN].map((name) => kubelet.healthy(name))).toEqual([1000, 1000]);

  const allocation = await kubelet.allocate(TUN, ['tun7', 'tun8']);

  expect(kubelet.healthy(VHOST)).toBe(0);
  expect(kubelet.lists.get(VHOST)?.at(-1)).toHaveLength(1000);
  expect(kubelet.registrations.map(({ endpoint }) => endpoint).toSorted()).toEqual([
    'smalt-kvm.sock',
    'smalt-tun.sock',
    'smalt-vhost-net.sock',
  ]);
  expect(allocation?.messages(3).map((node) => [node.text(1), node.text(2), node.text(3)])).toEqual([
    ['/dev/net/tun', join(root, 'net/tun'), 'mrw'],
  ]);
});

it('leaves the devices to the handler until there is a kubelet, and to each one after that', async () => {
  const devices = run();
  const seen: string[] = [];
  devices.onChange(() => void devices.keeper().then((keeper) => seen.push(keeper)));
  expect(await devices.keeper()).toBe('handler');

  const first = await FakeKubelet.start(directory);
  await expect.poll(() => devices.keeper()).toBe('kubelet');
  await first[Symbol.asyncDispose]();
  await expect.poll(() => devices.keeper()).toBe('absent-kubelet');
  owned.use(await FakeKubelet.start(directory));
  await expect.poll(() => devices.keeper()).toBe('kubelet');

  expect(seen.at(-1)).toBe('kubelet');
});

it('says once why a kubelet does not take a device', async () => {
  owned.use(await FakeKubelet.start(directory, { refuse: (name) => (name === KVM ? 'not today' : undefined) }));
  const devices = run();

  await expect.poll(() => log.some(({ resource, level }) => resource === KVM && level === 'warn')).toBe(true);

  expect(await devices.keeper()).toBe('absent-kubelet');
  expect(JSON.stringify(log)).toContain('not today');
});

it('lets containers make device nodes only with the newer cgroups', async () => {
  expect(await devicePermissions(root)).toBe('rw');
  await writeFile(join(root, 'cgroup.controllers'), '');
  expect(await devicePermissions(root)).toBe('mrw');
});

function run(): KubeletDevices {
  const destination = { write: (line: string) => log.push(Object(JSON.parse(line))) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const offers = ['kvm', 'tun', 'vhost-net'].map((name) => slotOffer({ name, slots: 1000, root, permissions: 'mrw' }));
  const devices = new KubeletDevices({ directory, offers, clock: systemClock, logger });
  const stop = new AbortController();
  const running = devices.run(stop.signal);
  owned.defer(async () => {
    stop.abort();
    await running;
  });
  return devices;
}

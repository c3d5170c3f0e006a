import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBedDirectory, type BedDirectory } from '@smalt/bed-libvirt';
import { startLibvirtd, type Libvirtd } from '@smalt/libvirt-daemon';
import { isFinalPhase, type VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { localDrivers } from '../hypervisor-sessions/local-drivers.ts';
import { makeContainerRoot } from './fixtures/container-root.ts';
import { SyncBed } from './fixtures/sync-bed.ts';

let directory: BedDirectory;
let daemon: Libvirtd;
let bed: SyncBed;

beforeAll(async () => {
  directory = await openBedDirectory();
  // With the network of the machine: one of its own would hide the cgroups, which containers need.
  daemon = await startLibvirtd({ directory: join(directory.path, 'libvirt'), tcp: false });
  const { socketPath } = daemon;
  bed = await SyncBed.start(localDrivers({ socketPath, runDirectory: join(daemon.directory, 'run') }, ['lxc']));
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
}, 60_000);

it('runs a container of LXC, and ends it when it is asked to', async () => {
  await using handler = await bed.startHandler();
  const spec = await container();
  const guestCgroup = '/noted-by-the-stand-in';
  const pod = { podUid: 'pod', namespace: 'default', name: 'launcher', launcher: undefined, guestCgroup, volumes: {} };
  await bed.place('container', { spec, pod });

  const running = await bed.untilPhase('container', 'Running');
  const [processId] = bed.node.moved.get('pod') ?? [];
  const words = await readFile(`/proc/${processId}/cmdline`, 'utf8');
  await bed.instances.delete('container', { namespace: 'default' });
  const ended = await bed.untilPhase('container', 'Succeeded');

  expect(handler.sessions.availableDrivers()).toEqual(['lxc']);
  expect(running.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  expect(words.split('\0')).toContain('default_container');
  expect(ended.status?.conditions).toContainEqual(expect.objectContaining({ reason: 'GuestShutDown' }));
}, 60_000);

it('ends an instance whose container lost its first process; libvirt does not say how', async () => {
  await using _handler = await bed.startHandler();
  const guestCgroup = '/noted-by-the-stand-in';
  const pod = {
    podUid: 'pod-2',
    namespace: 'default',
    name: 'launcher',
    launcher: undefined,
    guestCgroup,
    volumes: {},
  };
  await bed.place('killed', { spec: await container(), pod });
  await bed.untilPhase('killed', 'Running');
  const [processId] = bed.node.moved.get('pod-2') ?? [];

  process.kill(processId ?? 0, 'SIGKILL');
  const { status } = await bed.until('killed', (killed) => isFinalPhase(killed.status?.phase));

  expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False' }));
}, 60_000);

async function container(): Promise<VirtualMachineInstanceSpec> {
  const root = `${join(directory.path, 'root')}/`;
  await mkdir(root, { recursive: true });
  await makeContainerRoot(root);
  const devices = { disks: [{ name: 'root', disk: {} }], autoattachGraphicsDevice: false };
  const volumes = [{ name: 'root', hostDisk: { path: root, type: 'Disk' } }];
  return { hypervisor: 'lxc', volumes, domain: { memory: { guest: '32Mi' }, devices } };
}

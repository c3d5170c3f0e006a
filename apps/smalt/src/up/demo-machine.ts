import { constants } from 'node:fs';
import { access, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildDemoDisk, ensureGuestImage } from '@smalt/guest-image';
import { openImageStore } from '@smalt/image-store';
import { isAlreadyExists, type Draft, type KubeClient } from '@smalt/kube';
import { virtualMachineKind, type VirtualMachine } from '@smalt/vm-api';

import { pathExists } from '../path-exists.ts';

const NAME = 'demo';
const NAMESPACE = 'default';

export interface DemoOptions {
  readonly client: KubeClient;
  /** Where images are kept. */
  readonly images: string;
  /** Written once the demo was made: what a person deletes does not come back. */
  readonly noteFile: string;
  /** Called when the image is there. */
  readonly onImage: () => Promise<void>;
}

/** Whether the demo is still to be made. */
export async function isDemoWanted({ noteFile }: Pick<DemoOptions, 'noteFile'>): Promise<boolean> {
  return !(await pathExists(noteFile));
}

/** Makes a virtual machine that boots a small Linux, from a disk that is built if it is not there. */
export async function makeDemo(options: DemoOptions, signal: AbortSignal): Promise<void> {
  const { client, images, noteFile, onImage } = options;
  await ensureDisk(images, signal);
  await onImage();
  const machine = demoMachine(await isAccelerated());
  try {
    await client.resource(virtualMachineKind).create(machine, { namespace: NAMESPACE, signal });
  } catch (error) {
    // It was made by a start that was killed before it could note that, or is a person's own.
    if (!isAlreadyExists(error)) throw error;
  }
  await writeFile(noteFile, '');
}

async function ensureDisk(directory: string, signal: AbortSignal): Promise<void> {
  const store = openImageStore(directory);
  if ((await store.list()).some(({ reference }) => reference === NAME || reference.startsWith(`${NAME}:`))) return;
  await mkdir(directory, { recursive: true, mode: 0o755 });
  await using work = await mkdtempDisposable(join(directory, '.build-'));
  const path = join(work.path, 'disk.img');
  await buildDemoDisk({ path, image: await ensureGuestImage({ signal }), signal });
  await store.importFile(path, NAME, { signal });
}

/** What a guest needs to run on the processor itself, its network included. */
async function isAccelerated(): Promise<boolean> {
  const devices = ['/dev/kvm', '/dev/vhost-net'].map((path) => access(path, constants.R_OK | constants.W_OK));
  return (await Promise.allSettled(devices)).every(({ status }) => status === 'fulfilled');
}

/** A small Linux with a login on its console; emulated where it cannot be accelerated. */
export function demoMachine(isFast: boolean): Draft<VirtualMachine> {
  return {
    metadata: { name: NAME },
    spec: {
      runStrategy: 'Always',
      template: {
        spec: {
          ...(!isFast && { hypervisor: 'qemu' }),
          // It does not listen to its power button.
          terminationGracePeriodSeconds: 2,
          domain: {
            // By name: what an accelerator makes of the processor says nothing of what an emulator can do.
            ...(!isFast && { cpu: { model: 'qemu64' } }),
            memory: { guest: '128Mi' },
            devices: {
              disks: ['root', 'seed'].map((name) => ({ name, disk: { bus: 'virtio' } })),
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [
            { name: 'root', containerDisk: { image: NAME } },
            { name: 'seed', cloudInitNoCloud: { userData: `#cloud-config\nhostname: ${NAME}\n` } },
          ],
        },
      },
    },
  };
}

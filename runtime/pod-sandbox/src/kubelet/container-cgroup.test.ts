import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Cgroups } from '../cgroup/cgroups.ts';
import { ContainerCgroups } from './container-cgroup.ts';

let mountPoint: string;
let time: number;
let containers: ContainerCgroups;

beforeEach(async () => {
  mountPoint = await mkdtemp(join(tmpdir(), 'smalt-containers-'));
  time = 0;
  containers = new ContainerCgroups(new Cgroups([{ version: 2, mountPoint, controllers: [] }]), () => time);
});

afterEach(() => rm(mountPoint, { recursive: true, force: true }));

describe('the cgroup of a container', () => {
  it('is looked for everywhere as long as no kubelet is known', async () => {
    const before = await containers.find(names('a'));
    await make('/first', 'a');

    expect(before).toBeUndefined();
    expect(await containers.find(names('a'))).toMatchObject({ path: pathOf('/first', 'a') });
  });

  it('is not looked for everywhere again for each container that has ended', async () => {
    await make('/first', 'a');
    await containers.find(names('ended'));
    await make('/second', 'b');

    time = 9_999;
    const before = await containers.find(names('b'));
    time = 10_000;
    const after = await containers.find(names('b'));

    expect(before).toBeUndefined();
    expect(after).toMatchObject({ path: pathOf('/second', 'b') });
  });

  it('is found at once below a kubelet that is known', async () => {
    await make('/first', 'a');
    await containers.find(names('ended'));
    await make('/first', 'b');

    expect(await containers.find(names('b'))).toMatchObject({ path: pathOf('/first', 'b') });
  });
});

function names(podUid: string) {
  return { podUid, qosClass: 'Guaranteed', containerId: 'c5b2' } as const;
}

function pathOf(root: string, podUid: string): string {
  return `${root}/kubepods/pod${podUid}/c5b2`;
}

async function make(root: string, podUid: string): Promise<void> {
  await mkdir(join(mountPoint, pathOf(root, podUid)), { recursive: true });
}

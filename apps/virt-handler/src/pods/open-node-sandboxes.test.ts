import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { findPodKeeper } from './open-node-sandboxes.ts';

describe('findPodKeeper', () => {
  it('is the kubelet where its socket is, or was', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'keeper-'));
    const devicePlugins = directory.path;
    const before = await findPodKeeper({ devicePlugins });

    await writeFile(join(devicePlugins, 'kubelet_internal_checkpoint'), '');
    const starting = await findPodKeeper({ devicePlugins });
    await writeFile(join(devicePlugins, 'kubelet.sock'), '');

    expect([before, starting, await findPodKeeper({ devicePlugins })]).toEqual(['pod-runner', 'kubelet', 'kubelet']);
    expect(await findPodKeeper({ devicePlugins, sandboxes: 'pod-runner' })).toBe('pod-runner');
  });

  it('is the pod runner where no kubelet is to be told of devices', async () => {
    expect(await findPodKeeper({})).toBe('pod-runner');
    expect(await findPodKeeper({ sandboxes: 'kubelet' })).toBe('kubelet');
  });
});

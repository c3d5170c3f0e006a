import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { openImageStore } from '@smalt/image-store';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { virtualMachineKind } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { installDefinitions } from '../install-definitions.ts';
import { demoMachine, isDemoWanted, makeDemo } from './demo-machine.ts';

it(
  'makes a machine of the image that is there once, and not again after it was deleted',
  { timeout: 30_000 },
  async () => {
    const signal = AbortSignal.timeout(30_000);
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-demo-'));
    await using server = await startTestApiServer({ signal });
    const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
    await using client = new KubeClient({ config, userAgent: 'test/1' });
    await installDefinitions(client, signal);
    const images = join(place.path, 'images');
    await writeFile(join(place.path, 'disk'), Buffer.alloc(1_048_576));
    await openImageStore(images).importFile(join(place.path, 'disk'), 'demo');
    const shared: string[] = [];
    const onImage = async (): Promise<void> => void (await Promise.resolve(shared.push('shared')));
    const options = { client, images, noteFile: join(place.path, 'note'), onImage };
    const machines = client.resource(virtualMachineKind);

    const before = await isDemoWanted(options);
    await makeDemo(options, signal);
    const made = await machines.get('demo', { namespace: 'default' });
    await machines.delete('demo', { namespace: 'default' });

    expect([before, await isDemoWanted(options), shared]).toEqual([true, false, ['shared']]);
    expect(made.spec.template.spec).toMatchObject({ volumes: [{ containerDisk: { image: 'demo' } }, {}] });
  },
);

it.each([
  { isFast: true, hypervisor: undefined },
  { isFast: false, hypervisor: 'qemu' },
])('is emulated where it has to be: accelerated $isFast', ({ isFast, hypervisor }) => {
  expect(demoMachine(isFast).spec?.template.spec?.hypervisor).toBe(hypervisor);
});

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startNetwork } from '@smalt/bed-libvirt';
import { LIBVIRT_DRIVER, type CloudSettings } from '@smalt/local-openstack';

import { LibvirtCompute } from './libvirt-compute.ts';

/** The libvirt hosts of a cloud, on a network of their own, with one directory for all disks. */
export class LibvirtFleet implements AsyncDisposable {
  readonly computes: readonly LibvirtCompute[];
  /** What Nova has to know of them. */
  readonly settings: Pick<CloudSettings, 'driver' | 'instancesPath'>;
  readonly #owned: AsyncDisposableStack;

  private constructor(computes: readonly LibvirtCompute[], instancesPath: string, owned: AsyncDisposableStack) {
    this.computes = computes;
    this.settings = { driver: LIBVIRT_DRIVER, instancesPath };
    this.#owned = owned;
  }

  static async start(names: readonly string[], controlSocket: string): Promise<LibvirtFleet> {
    await using owner = new AsyncDisposableStack();
    const network = owner.use(await startNetwork());
    const instancesPath = join(network.storagePath, 'instances');
    await mkdir(instancesPath);
    const computes: LibvirtCompute[] = [];
    for (const name of names) computes.push(owner.use(await LibvirtCompute.open(name, network, controlSocket)));
    return new LibvirtFleet(computes, instancesPath, owner.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

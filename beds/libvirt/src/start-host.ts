import { randomUUID } from 'node:crypto';

import type { BindMount, Config, LibvirtdLimits } from '@smalt/libvirt-daemon';

import { openBedDirectory } from './bed-directory.ts';
import { BedHost } from './bed-host.ts';
import type { FakeHardware } from './numa/fake-hardware.ts';
import { writeFakeHardware } from './numa/write-fake-hardware.ts';
import { requireQemu } from './require-qemu.ts';
import { startNetwork } from './start-network.ts';
import type { BedNetwork } from './start-network.ts';

export interface HostOptions {
  /** hv1, hv2 and so on by default. */
  readonly name?: string | undefined;
  /** Hosts of one network reach each other by name; without one, the host gets a network of its own. */
  readonly network?: BedNetwork | undefined;
  readonly uuid?: string | undefined;
  readonly limits?: LibvirtdLimits | undefined;
  /** Settings of qemu.conf. */
  readonly qemu?: Config | undefined;
  readonly bindMounts?: readonly BindMount[] | undefined;
  /** Processors and memory it pretends to have; this machine's own by default. */
  readonly numa?: FakeHardware | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Starts a hypervisor and resolves once its libvirtd serves. */
export async function startHost(options: HostOptions = {}): Promise<BedHost> {
  await requireQemu();
  await using cleanUp = new AsyncDisposableStack();
  const directory = cleanUp.use(await openBedDirectory());
  const hardware = options.numa ? await writeFakeHardware(`${directory.path}/sys`, options.numa) : [];
  const network = options.network ?? cleanUp.use(await startNetwork());
  const host = new BedHost({
    network,
    seat: await network.reserve(options.name),
    uuid: options.uuid ?? randomUUID(),
    libvirtd: {
      directory: directory.path,
      limits: { ...OPEN, ...options.limits },
      qemu: options.qemu,
      bindMounts: [...hardware, ...(options.bindMounts ?? [])],
    },
  });
  await host.powerOn(options.signal);
  host.own(cleanUp.move());
  return host;
}

const OPEN: LibvirtdLimits = { maxClients: 2000, maxAnonymousClients: 2000, maxClientRequests: 100 };

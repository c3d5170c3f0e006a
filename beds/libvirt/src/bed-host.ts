import { runProgram, startLibvirtd } from '@smalt/libvirt-daemon';
import type { Libvirtd, LibvirtdOptions, RunOptions } from '@smalt/libvirt-daemon';
import { forgetOrphansSoon, keepCapabilities, lendCapabilities } from '@smalt/local-hosts';

import { BedError } from './error.ts';

import type { BedNetwork, HostSeat, NetworkPort } from './start-network.ts';

/** libvirt's own, which clients need not name. */
const LIBVIRT_PORT = 16_509;
const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;
const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--pid', '--root'] as const;

export interface BedHostParts {
  readonly network: BedNetwork;
  readonly seat: HostSeat;
  readonly uuid: string;
  readonly libvirtd: Pick<LibvirtdOptions, 'directory' | 'limits' | 'qemu' | 'bindMounts'>;
}

/** A hypervisor: a libvirtd with real QEMU in mount, name, pid and network namespaces of its own. */
export class BedHost implements AsyncDisposable {
  readonly name: string;
  readonly uuid: string;
  readonly address: string;
  readonly network: BedNetwork;
  /** `qemu+tcp://ADDRESS:16509/system`. */
  readonly uri: string;
  readonly #parts: BedHostParts;
  readonly #owned: AsyncDisposableStack = new AsyncDisposableStack();
  #power: { readonly daemon: Libvirtd; readonly port: NetworkPort } | undefined;

  constructor(parts: BedHostParts) {
    this.#parts = parts;
    this.name = parts.seat.name;
    this.address = parts.seat.address;
    this.uuid = parts.uuid;
    this.network = parts.network;
    this.uri = `qemu+tcp://${this.address}:${LIBVIRT_PORT}/system`;
  }

  /** What runs now; another one after `powerOn`. */
  get daemon(): Libvirtd {
    return this.#powered().daemon;
  }

  /** libvirtd's socket, reachable even when the host's link is cut. */
  get socketPath(): string {
    return this.daemon.socketPath;
  }

  /** Starts the host, again after `crash` or `stop`, with the disks, definitions and addresses it had. */
  async powerOn(signal?: AbortSignal): Promise<void> {
    if (this.#power) throw new BedError('invalid-option', `The host ${this.name} is on already`);
    const { seat, network, libvirtd } = this.#parts;
    await lendCapabilities(libvirtd.directory);
    let port: NetworkPort | undefined;
    const daemon = await startLibvirtd({
      ...libvirtd,
      hostname: this.name,
      hostUuid: this.uuid,
      address: this.address,
      tcp: { port: LIBVIRT_PORT },
      ownNetwork: true,
      bindMounts: [{ source: network.hostsFile, target: '/etc/hosts' }, ...(libvirtd.bindMounts ?? [])],
      qemu: { migration_address: this.address, migration_host: this.address, ...libvirtd.qemu },
      prepare: async (namespacePid) => {
        await forgetOrphansSoon(namespacePid);
        port = await seat.plugIn(namespacePid);
      },
      signal,
    });
    if (port) this.#power = { daemon, port };
  }

  /** Power loss: all of it is gone at once, and the network hears no farewell. */
  async crash(): Promise<void> {
    const { daemon, port } = this.#powered();
    await port.cut();
    await daemon.crash();
    this.#power = undefined;
  }

  /** Partition: the host and its guests run on, unreachable. */
  async cut(): Promise<void> {
    await this.#powered().port.cut();
  }

  /** Ends a partition. */
  async heal(): Promise<void> {
    await this.#powered().port.heal();
  }

  /** Ends libvirtd in good order, then its guests. Does nothing to a host that is off. */
  async stop(): Promise<void> {
    const power = this.#power;
    this.#power = undefined;
    await power?.daemon.stop();
    if (power) await keepCapabilities(this.#parts.libvirtd.directory);
  }

  /** Runs a program inside the host and gives what it printed. */
  async exec(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
    const target = ['--target', String(this.daemon.namespacePid)];
    return (await runProgram(NSENTER, [...target, ...NAMESPACES, '--', ...command], options)).toString();
  }

  /** Hands over what goes when the host goes. */
  own(resources: AsyncDisposable): void {
    this.#owned.use(resources);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop();
    } finally {
      await this.#owned.disposeAsync();
    }
  }

  #powered(): { readonly daemon: Libvirtd; readonly port: NetworkPort } {
    if (this.#power) return this.#power;
    throw new BedError('ended', `The host ${this.name} is off`);
  }
}

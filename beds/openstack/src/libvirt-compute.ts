import { startHost } from '@smalt/bed-libvirt';
import type { BedHost, BedNetwork } from '@smalt/bed-libvirt';
import { askNova, type NovaOrder } from '@smalt/local-openstack';

import type { CloudCompute, CloudGuest } from './cloud-compute.ts';
import { OpenStackBedError } from './error.ts';

/** A hypervisor with real guests: a libvirt host in namespaces of its own, and the compute service in Nova's process. */
export class LibvirtCompute implements CloudCompute, AsyncDisposable {
  readonly name: string;
  readonly host: BedHost;
  readonly #controlSocket: string;
  #hasPower = true;
  #isServing = false;

  private constructor(host: BedHost, controlSocket: string) {
    this.name = host.name;
    this.host = host;
    this.#controlSocket = controlSocket;
  }

  /** Starts the host; its compute service is yet to be started. */
  static async open(name: string, network: BedNetwork, controlSocket: string): Promise<LibvirtCompute> {
    // Nova's files belong to root, and are handed to QEMU as they are.
    const qemu = { user: 'root', group: 'root', dynamic_ownership: false };
    return new LibvirtCompute(await startHost({ name, network, qemu }), controlSocket);
  }

  async start(signal?: AbortSignal): Promise<void> {
    if (!this.#hasPower) await this.host.powerOn(signal);
    this.#hasPower = true;
    const uri = `qemu+unix:///system?socket=${this.host.socketPath}`;
    await this.#ask({ verb: 'start', body: { uri, address: this.host.address }, signal });
    this.#isServing = true;
  }

  async stop(signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'stop', signal });
    this.#isServing = false;
  }

  async crash(signal?: AbortSignal): Promise<void> {
    await this.host.crash();
    this.#hasPower = false;
    await this.#silence('crash', signal);
  }

  async cut(signal?: AbortSignal): Promise<void> {
    await this.host.cut();
    await this.#silence('cut', signal);
  }

  async heal(signal?: AbortSignal): Promise<void> {
    await this.host.heal();
    await this.start(signal);
  }

  async expireReport(signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'expire', signal });
  }

  async setKnobs(): Promise<void> {
    throw new OpenStackBedError('invalid-option', `setKnobs: ${this.name} is a real host, without knobs`);
  }

  async guests(signal?: AbortSignal): Promise<readonly CloudGuest[]> {
    if (!this.#hasPower) return [];
    const list = async (state: string): Promise<readonly string[]> =>
      (await this.host.exec(['virsh', 'list', '--uuid', '--name', state], { signal }))
        .trim()
        .split('\n')
        .filter(Boolean);
    return [
      ...(await list('--state-running')).map((line) => guestOf(line, 'running')),
      ...(await list('--inactive')).map((line) => guestOf(line, 'off')),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
  }

  /** A host that was cut off may lose its power as well. */
  async #silence(verb: 'crash' | 'cut', signal?: AbortSignal): Promise<void> {
    if (this.#isServing) await this.#ask({ verb, signal });
    this.#isServing = false;
  }

  async #ask(order: Omit<NovaOrder, 'host'>): Promise<unknown> {
    return askNova(this.#controlSocket, { ...order, host: this.name });
  }
}

function guestOf(line: string, state: CloudGuest['state']): CloudGuest {
  const [id = '', name = ''] = line.trim().split(/\s+/);
  return { id, name, state };
}

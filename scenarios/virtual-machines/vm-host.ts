import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startHost, type BedHost, type BedNetwork } from '@smalt/bed-libvirt';
import { openImageStore } from '@smalt/image-store';
import type { KindReference } from '@smalt/kubernetes';

import type { VmControlPlane } from './control-plane.ts';
import { HANDLER_TOKENS } from './deploy-virt-api.ts';
import { HostProcess } from './host-process.ts';
import { removeCgroups, showCgroups } from './host-cgroups.ts';

/** What machines boot: a small Linux that offers a login on its console. */
const DEMO_IMAGE = 'demo';
const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

export interface VmHostOptions {
  readonly name: string;
  readonly network: BedNetwork;
  /** Where the files of the world are; what a node has as its own is `n` there: paths of sockets must be short, to each host another directory. */
  readonly directory: string;
  /** A disk that the store of each node has. */
  readonly demoDisk: string;
  readonly control: VmControlPlane;
  readonly drivers: readonly string[];
  /** The processors of the machine that no pod gets for itself, such as `0`; none gets any if not given. */
  readonly reservedProcessors?: string | undefined;
}

/** A node of the cluster: a hypervisor in namespaces, with its pod runner and its handler as processes inside. */
export class VmHost implements AsyncDisposable {
  readonly name: string;
  readonly machine: BedHost;
  readonly #options: VmHostOptions;
  runner: HostProcess | undefined;
  handler: HostProcess | undefined;

  private constructor(options: VmHostOptions, machine: BedHost) {
    this.name = options.name;
    this.machine = machine;
    this.#options = options;
  }

  static async open(options: VmHostOptions): Promise<VmHost> {
    const { name, network, directory, control } = options;
    const [source, target] = [join(directory, name), join(directory, 'n')];
    await Promise.all([source, target].map((path) => mkdir(path, { recursive: true, mode: 0o711 })));
    const qemu = { user: 'libvirt-qemu', group: 'kvm', dynamic_ownership: 1 };
    const machine = await startHost({ name, network, bindMounts: [{ source, target }], qemu });
    const host = new VmHost(options, machine);
    await host.#boot();
    await openImageStore(join(source, 'images')).importFile(options.demoDisk, DEMO_IMAGE);
    // Tokens of a node are bound to it, so somebody else has to make it.
    await control.admin.resource(nodeKind).create({ metadata: { name } });
    await host.startRunner();
    await host.startHandler();
    return host;
  }

  /** What the node has as its own, as seen from outside. */
  get directory(): string {
    return join(this.#options.directory, this.name);
  }

  /** The same as the node itself sees it. */
  get ownDirectory(): string {
    return join(this.#options.directory, 'n');
  }

  /** The cgroup that the pods of this host are in. */
  get cgroupRoot(): string {
    return `/smalt-test-${this.machine.uuid.slice(0, 8)}`;
  }

  async startRunner(): Promise<void> {
    const { directory, reservedProcessors = '' } = this.#options;
    this.runner = this.#start('pod-runner', [
      `--kubeconfig=${await this.#account('smalt-pod-runner')}`,
      `--pods=${join(directory, 'n/pods')}`,
      `--images=${join(directory, 'n/images')}`,
      `--volumes=${join(directory, 'n/volumes')}`,
      `--cgroup-root=${this.cgroupRoot}`,
      `--address=${this.machine.address}`,
      `--reserved-processors=${reservedProcessors}`,
    ]);
  }

  /** Starts the handler; a second one beside it needs a port of its own. */
  async startHandler(nodeApiPort = 8186): Promise<void> {
    const { directory, drivers } = this.#options;
    this.handler = this.#start('virt-handler', [
      `--kubeconfig=${await this.#account('smalt-virt-handler')}`,
      `--state=${join(directory, 'n/vh')}`,
      `--pods=${join(directory, 'n/pods')}`,
      `--drivers=${drivers.join(',')}`,
      `--migration-uri={driver}+tcp://{address}/system`,
      `--migration-address=${this.machine.address}`,
      `--node-api-listen=${this.machine.address}:${nodeApiPort}`,
      `--node-api-audience=${HANDLER_TOKENS.audience}`,
      `--host-disk-directories=${directory}`,
    ]);
  }

  /** Power loss: guests, launchers and all of ours are gone at once. */
  async crash(): Promise<void> {
    await this.machine.crash();
    await Promise.all([this.handler?.whenEnded(), this.runner?.whenEnded()]);
    // Those of a real machine do not outlive it.
    await removeCgroups(this.cgroupRoot);
  }

  /** Starts it again after `crash`, with the files that it had. */
  async powerOn(): Promise<void> {
    await this.machine.powerOn();
    await this.#boot();
    await this.startRunner();
    await this.startHandler();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handler?.[Symbol.asyncDispose]();
    await this.runner?.[Symbol.asyncDispose]();
    await this.machine[Symbol.asyncDispose]();
    await removeCgroups(this.cgroupRoot);
  }

  /** All hosts share one kernel; each of their boots has to be one of its own all the same. */
  async #boot(): Promise<void> {
    const bootId = join(this.directory, 'boot-id');
    await writeFile(bootId, `${randomUUID()}\n`);
    await this.machine.exec(['mount', '--bind', bootId, '/proc/sys/kernel/random/boot_id']);
    await showCgroups(this.machine);
  }

  /** How a program of this node reaches the API. */
  async #account(name: string): Promise<string> {
    const { control, directory } = this.#options;
    return await control.accounts.kubeconfig({ name, nodeName: this.name }, directory);
  }

  #start(command: string, flags: readonly string[]): HostProcess {
    const words = [command, `--node=${this.name}`, '--listen=', '--log-level=debug', ...flags];
    const logPath = join(this.#options.directory, `${this.name}-${command}.log`);
    return HostProcess.start({ machine: this.machine, words, logPath });
  }
}

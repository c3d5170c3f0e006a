import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ServerProcess } from '@smalt/bed-kubernetes';
import type { BedHost } from '@smalt/bed-libvirt';
import type { CloudCompute } from '@smalt/bed-openstack';
import { startRedfish, system, type BedRedfish, type TestAuthority } from '@smalt/bed-redfish';

import { MAIN, NODE } from './ha-service-process.ts';

export interface HaHostOptions {
  readonly compute: CloudCompute;
  readonly bmcAuthority: TestAuthority;
  /** Where its agent keeps what it has; its configuration is `agent.yaml` there. */
  readonly directory: string;
}

/** A host of the fleet: a hypervisor in namespaces, its HA agent inside, and the management controller that powers it. */
export class HaHost implements AsyncDisposable {
  readonly name: string;
  readonly compute: CloudCompute;
  readonly machine: BedHost;
  readonly bmc: BedRedfish;
  /** When it went off by its controller, as wall time in milliseconds. */
  readonly fencedAt: number[] = [];
  /** When its controller was asked for the power while it was off. */
  readonly offReadAt: number[] = [];
  readonly #directory: string;
  #isOn = true;
  #isCut = false;
  #agent: ServerProcess | undefined;

  private constructor({ compute, directory }: HaHostOptions, machine: BedHost, bmc: BedRedfish) {
    this.name = compute.name;
    this.compute = compute;
    this.machine = machine;
    this.bmc = bmc;
    this.#directory = directory;
  }

  static async open(options: HaHostOptions): Promise<HaHost> {
    const { compute, bmcAuthority } = options;
    const machine = compute.host;
    if (machine === undefined) throw new TypeError(`${compute.name} is no real host`);
    // The switch needs the host, and the host its controller.
    const bmc = await startRedfish({ authority: bmcAuthority, systems: [] });
    const host = new HaHost(options, machine, bmc);
    const powerSwitch = { isOn: () => host.#isOn, powerOn: () => host.powerOn(), powerOff: () => host.#fence() };
    const path = `/redfish/v1/Systems/${compute.name}`;
    bmc.systems.push({ ...system(path), powerSwitch });
    bmc.answering = (request) => {
      if (request.method === 'GET' && request.path === path && !host.#isOn) host.offReadAt.push(Date.now());
      return 'as-usual';
    };
    return host;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get isReachable(): boolean {
    return this.#isOn && !this.#isCut;
  }

  get orders(): number {
    return this.bmc.requests.filter(({ path }) => path.endsWith('ComputerSystem.Reset')).length;
  }

  /** The agent lives inside the host: it goes when the host goes, and is cut off with it. */
  async startAgent(): Promise<void> {
    // All hosts share one kernel; each of their boots has to be one of its own all the same.
    const bootId = join(this.#directory, 'boot-id');
    await writeFile(bootId, `${randomUUID()}\n`);
    await this.machine.exec(['mount', '--bind', bootId, '/proc/sys/kernel/random/boot_id']);
    const target = ['--target', String(this.machine.daemon.namespacePid)];
    const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid'];
    const words = ['ha-agent', '--config', join(this.#directory, 'agent.yaml')];
    const command = ['nsenter', ...target, ...namespaces, '--', NODE, MAIN, ...words];
    this.#agent = ServerProcess.start(`agent of ${this.name}`, command, join(this.#directory, 'agent.log'));
  }

  /** Somebody trips over the cable. */
  async losePower(): Promise<void> {
    this.#isOn = false;
    await this.compute.crash();
  }

  /** It runs on, and nobody hears of it. */
  async cut(): Promise<void> {
    this.#isCut = true;
    await this.compute.cut();
  }

  async heal(): Promise<void> {
    await this.compute.heal();
    this.#isCut = false;
  }

  async powerOn(): Promise<void> {
    this.#isCut = false;
    await this.compute.start();
    this.#isOn = true;
    await this.startAgent();
  }

  async #fence(): Promise<void> {
    await this.compute.crash();
    this.#isOn = false;
    this.fencedAt.push(Date.now());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bmc[Symbol.asyncDispose]();
    await this.#agent?.[Symbol.asyncDispose]();
  }
}

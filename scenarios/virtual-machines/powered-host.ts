import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startRedfish, system, type BedRedfish, type TestAuthority } from '@smalt/bed-redfish';

import { HostProcess } from './host-process.ts';
import type { VmHost } from './vm-host.ts';

export interface PoweredHostOptions {
  readonly host: VmHost;
  readonly authority: TestAuthority;
  /** What its HA agent is told beside what it knows of its node: where the service is, and by what it is known there. */
  readonly ha: Readonly<Record<string, string>>;
}

/** A node with an HA agent inside, and the management controller that powers it. */
export class PoweredHost implements AsyncDisposable {
  readonly host: VmHost;
  readonly bmc: BedRedfish;
  /** When its controller was asked for the power while it was off, as wall time in milliseconds. */
  readonly offReadAt: number[] = [];
  readonly #ha: PoweredHostOptions['ha'];
  #offAt: number | undefined;
  #agent: HostProcess | undefined;
  #isOn = true;

  private constructor({ host, ha }: PoweredHostOptions, bmc: BedRedfish) {
    this.host = host;
    this.bmc = bmc;
    this.#ha = ha;
  }

  static async open(options: PoweredHostOptions): Promise<PoweredHost> {
    // The switch needs the host, and the host its controller.
    const bmc = await startRedfish({ authority: options.authority, systems: [] });
    const host = new PoweredHost(options, bmc);
    const powerSwitch = { isOn: () => host.#isOn, powerOn: () => host.powerOn(), powerOff: () => host.powerOff() };
    const path = `/redfish/v1/Systems/${options.host.name}`;
    bmc.systems.push({ ...system(path), powerSwitch });
    bmc.answering = (request) => {
      if (request.method === 'GET' && request.path === path && !host.#isOn) host.offReadAt.push(Date.now());
      return 'as-usual';
    };
    await host.#startAgent();
    return host;
  }

  get name(): string {
    return this.host.name;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** When it went off the last time. */
  get offAt(): number | undefined {
    return this.#offAt;
  }

  async powerOff(): Promise<void> {
    await this.host.crash();
    this.#isOn = false;
    this.#offAt = Date.now();
  }

  async powerOn(): Promise<void> {
    await this.host.powerOn();
    this.#isOn = true;
    await this.#startAgent();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]();
    await this.bmc[Symbol.asyncDispose]();
  }

  async #startAgent(): Promise<void> {
    const { host } = this;
    const config = {
      node: host.name,
      state: join(host.ownDirectory, 'ha-agent'),
      libvirt: `qemu+unix:///system?socket=${host.machine.socketPath}`,
      listen: '',
      ha: this.#ha,
    };
    await writeFile(join(host.directory, 'agent.yaml'), JSON.stringify(config));
    const words = ['ha-agent', '--config', join(host.ownDirectory, 'agent.yaml')];
    this.#agent = HostProcess.start({ machine: host.machine, words, logPath: join(host.directory, 'ha-agent.log') });
  }
}

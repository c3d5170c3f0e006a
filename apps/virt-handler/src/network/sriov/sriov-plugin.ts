import { readdir, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { DomainNetwork } from '@smalt/domain-xml';

import type { HostDevices } from '../../host-devices/host-devices.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { HostCommands } from '../host-commands.ts';
import type { NetworkPlugin, NetworkRequest } from '../network-plugin.ts';

const IP = { name: 'ip', debianPackage: 'iproute2' } as const;
/** Takes off what the guest before had on the function. */
const NO_VLAN = 0;

export interface SriovPluginOptions {
  readonly commands: HostCommands;
  readonly devices: Pick<HostDevices, 'give'>;
  /** Where the kernel tells of devices; `/sys` if not given. */
  readonly sys?: string | undefined;
}

/** Gives an interface a virtual function of a network card, whose hardware address and VLAN are set on the card. */
export class SriovPlugin implements NetworkPlugin {
  readonly name = 'sriov';
  readonly #options: SriovPluginOptions;

  constructor(options: SriovPluginOptions) {
    this.#options = options;
  }

  async connect(request: NetworkRequest, signal: AbortSignal): Promise<DomainNetwork> {
    const { instance, sandbox, network, record, resource, vlan = NO_VLAN, interfaceField } = request;
    if (resource === undefined) {
      const message = `${interfaceField}.sriov: the network leads to no cards; write it like NAME=sriov:RESOURCE in the setting network.others`;
      throw new VirtHandlerError('network-failed', message, { field: `${interfaceField}.sriov` });
    }
    const wish = { instance, sandbox, resource, name: network.name, field: `${interfaceField}.sriov` };
    const { id: address } = await this.#options.devices.give({ ...wish, list: 'interfaces' });
    const place = await this.#placeOf(address);
    if (place !== undefined) {
      const words = ['link', 'set', 'dev', place.card, 'vf', String(place.number), 'mac', record.mac];
      await this.#options.commands.run(IP, [...words, 'vlan', String(vlan)], { signal });
    }
    return { kind: 'pci', name: network.name, address, mac: record.mac };
  }

  /** The card that a function belongs to and its number there; undefined for what is no virtual function. */
  async #placeOf(address: string): Promise<{ readonly card: string; readonly number: number } | undefined> {
    const card = join(this.#options.sys ?? '/sys', 'bus/pci/devices', address, 'physfn');
    const [name] = await readdir(join(card, 'net')).catch(() => []);
    if (name === undefined) return undefined;
    for (const entry of await readdir(card)) {
      const number = /^virtfn(\d+)$/u.exec(entry)?.[1];
      if (number !== undefined && basename(await readlink(join(card, entry))) === address) {
        return { card: name, number: Number(number) };
      }
    }
    return undefined;
  }
}

import type { DomainNetwork } from '@smalt/domain-xml';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { HostCommands } from '../host-commands.ts';
import { parseLinks } from '../nat/plan-bridge.ts';
import type { NetworkPlugin, NetworkRequest } from '../network-plugin.ts';

const IP = { name: 'ip', debianPackage: 'iproute2' } as const;

/** Connects interfaces to a bridge that somebody else made and looks after. */
export class BridgePlugin implements NetworkPlugin {
  readonly name = 'bridge';
  readonly #commands: HostCommands;

  constructor(commands: HostCommands) {
    this.#commands = commands;
  }

  /** Throws `network-failed` when there is no such bridge; libvirt would only say that an ioctl failed. */
  async connect({ bridge, network, record, field }: NetworkRequest, signal: AbortSignal): Promise<DomainNetwork> {
    const links = parseLinks(await this.#commands.run(IP, ['-json', '-details', 'link', 'show'], { signal }));
    const link = links.find(({ name }) => name === bridge);
    if (bridge !== undefined && link?.kind === 'bridge') {
      return { kind: 'bridge', name: network.name, bridge, mac: record.mac };
    }
    const what = link ? 'is an interface of this node, but no bridge' : 'is not there on this node';
    const message = `${field}: the bridge ${bridge} ${what}; make it, or change the settings network.pod and network.others of the virt-handler`;
    throw new VirtHandlerError('network-failed', message, { field });
  }
}

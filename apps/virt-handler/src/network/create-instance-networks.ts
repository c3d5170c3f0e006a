import { join } from 'node:path';

import { systemClock, type Clock } from '@smalt/controller-runtime';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { HostDevices } from '../host-devices/host-devices.ts';
import { BridgePlugin } from './bridge/bridge-plugin.ts';
import { checkAttachments } from './choose-attachment.ts';
import { ConnectedInstances } from './connected-instances.ts';
import { createHostCommands } from './host-commands.ts';
import { NatPlugin } from './nat/nat-plugin.ts';
import type { NodeNetworks } from './network-plugin.ts';
import type { NetworkSettings } from './network-settings.ts';
import { OvsPlugin } from './ovs/ovs-plugin.ts';
import type { InterfaceRecord } from './register/interface-record.ts';
import { openRegisterOnce } from './register/open-register-once.ts';
import { SriovPlugin } from './sriov/sriov-plugin.ts';

export interface InstanceNetworksOptions {
  readonly settings: NetworkSettings;
  /** The state directory of the handler; networks have their files in `networks` below it. */
  readonly stateDirectory: string;
  readonly logger: Logger;
  readonly ignore: Ignore;
  /** The network namespace that guests are connected in, such as `/proc/1/ns/net`; that of this process by default. */
  readonly networkNamespace?: string | undefined;
  /** Gives the functions of network cards. */
  readonly devices: Pick<HostDevices, 'give'>;
  readonly clock?: Clock | undefined;
}

/** Connects the interfaces of instances as the settings say. Throws `bad-setting` when they can never work. */
export function createInstanceNetworks(options: InstanceNetworksOptions): NodeNetworks {
  const { settings, stateDirectory, clock = systemClock } = options;
  checkAttachments(settings);
  const directory = join(stateDirectory, 'networks');
  const commands = createHostCommands(options.networkNamespace);
  const { ignore } = options;
  const register = openRegisterOnce({ directory, now: () => clock.now(), ignore });
  const inUse = async (): Promise<readonly InterfaceRecord[]> =>
    (await register()).inUse().filter(({ plugin }) => plugin === 'nat');
  const nat = { settings: settings.nat, directory: join(directory, 'nat'), commands, clock, inUse };
  return new ConnectedInstances({
    ...options,
    register,
    plugins: {
      nat: new NatPlugin({ ...options, ...nat }),
      bridge: new BridgePlugin(commands),
      ovs: new OvsPlugin(settings.ovsDatabase),
      sriov: new SriovPlugin({ commands, devices: options.devices }),
    },
  });
}

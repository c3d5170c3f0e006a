import { resolve } from 'node:path';

import { HypervisorError } from '@smalt/hypervisors';

import { parseHostDevices } from '../host-devices/host-device-settings.ts';
import { localDrivers } from '../hypervisor-sessions/local-drivers.ts';
import type { DriverTable } from '../hypervisor-sessions/driver-settings.ts';
import type { NodeLogSettings } from '../logs/log-settings.ts';
import type { NetworkSettings } from '../network/network-settings.ts';
import { NODE_API_DEFAULTS, type NodeApiSettings } from '../node-api/node-api-settings.ts';
import { VirtHandlerError } from '../virt-handler-error.ts';
import type { VirtHandlerOptions } from '../virt-handler-options.ts';
import type { VirtHandlerConfig } from './virt-handler-config.ts';

/** What the settings leave open is looked up here. */
export interface SettingsSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
}

export type VirtHandlerSettings = Omit<VirtHandlerOptions, 'kubeConfig' | 'logger'>;

/** Makes what a handler is told of a configuration and its surroundings. What cannot work is refused by its name. */
export function virtHandlerSettings(config: VirtHandlerConfig, around: SettingsSurroundings): VirtHandlerSettings {
  const { uri, address, encrypt } = config.migration;
  return {
    nodeName: nodeNameOf(config, around),
    namespace: config.namespace,
    stateDirectory: resolve(config.state),
    sandboxes: config.sandboxes,
    podsDirectory: resolve(config.pods),
    devicePlugins: pathOf(config.kubelet.devicePlugins),
    hostDiskDirectories: config.hostDisk.directories.map((each) => resolve(each)),
    hostDevices: parseHostDevices(config.hostDevices.pci, config.hostDevices.mediated),
    drivers: driversOf(config),
    networks: networksOf(config),
    migration: { peerUri: uri, address: optional(address), canEncrypt: encrypt },
    logs: logsOf(config),
    maxStarts: config.maxStarts,
    nodeApi: nodeApiOf(config),
    environment: around.environment,
  };
}

// Names of nodes have small letters; those of hosts may have others.
function nodeNameOf({ node }: VirtHandlerConfig, { environment, hostname }: SettingsSurroundings): string {
  if (node !== '') return node;
  const { NODE_NAME: variable = '' } = environment;
  return variable === '' ? hostname.toLowerCase() : variable;
}

function driversOf({ drivers, libvirt }: VirtHandlerConfig): DriverTable {
  const local = { socketPath: pathOf(libvirt.socket), runDirectory: pathOf(libvirt.runDirectory) };
  try {
    return localDrivers(local, drivers.length === 0 ? undefined : drivers);
  } catch (error) {
    if (!(error instanceof HypervisorError)) throw error;
    throw new VirtHandlerError('bad-setting', `drivers: ${error.message}`, { cause: error, field: 'drivers' });
  }
}

function networksOf({ network }: VirtHandlerConfig): NetworkSettings {
  const { pod, others, bridge, range, nameServers, shared: isShared, ovsDatabase } = network;
  const named = others.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)] as const);
  const nat = { bridge, range, nameServers, isShared };
  return { podNetwork: pod, networks: Object.fromEntries(named), nat, ovsDatabase };
}

function logsOf({ logs }: VirtHandlerConfig): NodeLogSettings {
  return {
    journalctl: logs.journalctl,
    libvirtDirectory: resolve(logs.libvirtDirectory),
    ovsDirectories: logs.ovsDirectories.map((each) => resolve(each)),
    agentFiles: logs.agentFiles.map((each) => resolve(each)),
  };
}

function nodeApiOf({ nodeApi, state }: VirtHandlerConfig): NodeApiSettings | undefined {
  const { listen, certificate, key, authority, ...rest } = nodeApi;
  if (listen === '') return undefined;
  if ((certificate === '') !== (key === '')) {
    const [given, missing] = key === '' ? ['certificate', 'key'] : ['key', 'certificate'];
    const message = `nodeApi.${missing}: is needed beside nodeApi.${given}; give both`;
    throw new VirtHandlerError('bad-setting', message, { field: `nodeApi.${missing}` });
  }
  return {
    ...NODE_API_DEFAULTS,
    ...rest,
    listen,
    certificateFile: pathOf(certificate) ?? '',
    keyFile: pathOf(key) ?? '',
    authorityFile: pathOf(authority) ?? '',
    stateDirectory: resolve(state, 'node-api'),
  };
}

function optional(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function pathOf(text: string): string | undefined {
  return text === '' ? undefined : resolve(text);
}

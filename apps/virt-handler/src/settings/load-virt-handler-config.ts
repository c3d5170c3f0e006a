import { KUBELET_PLUGIN_DIRECTORY } from '@smalt/device-plugin';
import { DEFAULT_PODS_DIRECTORY } from '@smalt/pod-sandbox';
import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';

import { NODE_LOG_DEFAULTS } from '../logs/log-settings.ts';
import { DEFAULT_PEER_URI } from '../migration/peer-uri.ts';
import { defaultNetworkSettings } from '../network/network-settings.ts';
import { NODE_API_DEFAULTS } from '../node-api/node-api-settings.ts';
import { POD_KEEPERS } from '../pods/pod-keeper.ts';
import { DEFAULT_NAMESPACE, DEFAULT_STATE_DIRECTORY } from '../virt-handler-options.ts';
import type { VirtHandlerConfig } from './virt-handler-config.ts';

const LIBVIRT = {
  type: 'object',
  properties: {
    socket: {
      type: 'string',
      default: '',
      description: 'the socket of the libvirt of this node; empty: where the operating system has it',
    },
    runDirectory: {
      type: 'string',
      default: '',
      description: 'what is /run/libvirt to that libvirt, as seen from here; empty: /run/libvirt',
    },
  },
  required: ['socket', 'runDirectory'],
} as const satisfies ConfigSchema;

const KUBELET = {
  type: 'object',
  properties: {
    devicePlugins: {
      type: 'string',
      default: KUBELET_PLUGIN_DIRECTORY,
      description: 'where a kubelet has its socket for device plugins; empty: the handler offers the devices itself',
    },
  },
  required: ['devicePlugins'],
} as const satisfies ConfigSchema;

const HOST_DEVICES = {
  type: 'object',
  properties: {
    pci: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'PCI devices that guests may have, by vendor and device, such as 10de:1eb8=nvidia.com/T4; they are bound to vfio-pci',
    },
    mediated: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'mediated devices that guests may have, by the name of their type, such as GRID T4-1Q=nvidia.com/T4-1Q',
    },
  },
  required: ['pci', 'mediated'],
} as const satisfies ConfigSchema;

const HOST_DISK = {
  type: 'object',
  properties: {
    directories: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'below which directories of this node instances may have a hostDisk; empty: nowhere',
    },
  },
  required: ['directories'],
} as const satisfies ConfigSchema;

const MIGRATION = {
  type: 'object',
  properties: {
    uri: {
      type: 'string',
      minLength: 1,
      default: DEFAULT_PEER_URI,
      description: 'the libvirt of another node; {address} stands for the node, {driver} for what libvirt calls it',
    },
    address: {
      type: 'string',
      default: '',
      description:
        'the address by which other nodes reach this one: its libvirt, and QEMU with the memory of guests; empty: the first of a card',
    },
    encrypt: {
      type: 'boolean',
      default: false,
      description: 'whether the hosts have certificates by which QEMU can encrypt what it sends',
    },
  },
  required: ['uri', 'address', 'encrypt'],
} as const satisfies ConfigSchema;

const NETWORK = {
  type: 'object',
  properties: {
    pod: {
      type: 'string',
      minLength: 1,
      default: defaultNetworkSettings.podNetwork,
      description: 'where the pod network of guests leads: nat, bridge:NAME, ovs:NAME or ovs:NAME:VLAN',
    },
    others: {
      type: 'array',
      items: { type: 'string', pattern: '^[^=]+=[^=]+$' },
      default: [],
      description:
        'where other networks lead, such as storage=bridge:br0, shop/storage=ovs:br-int:42 or fast=sriov:vendor.example/vf',
    },
    bridge: {
      type: 'string',
      minLength: 1,
      default: defaultNetworkSettings.nat.bridge,
      description: 'the bridge of the nat network, which the handler makes',
    },
    range: {
      type: 'string',
      minLength: 1,
      default: defaultNetworkSettings.nat.range,
      description: 'the addresses of guests in the nat network; the same on every node',
    },
    nameServers: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'where names are looked up for guests of the nat network; empty: where this node does',
    },
    shared: { type: 'boolean', default: false, description: 'whether guests of the nat network reach each other' },
    ovsDatabase: {
      type: 'string',
      minLength: 1,
      default: defaultNetworkSettings.ovsDatabase,
      description: 'the database of Open vSwitch on this node, for ovs networks',
    },
  },
  required: ['pod', 'others', 'bridge', 'range', 'nameServers', 'shared', 'ovsDatabase'],
} as const satisfies ConfigSchema;

const LOGS = {
  type: 'object',
  properties: {
    journalctl: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: NODE_LOG_DEFAULTS.journalctl,
      description: 'the program that reads the journal of this node, with words before its own; empty: there is none',
    },
    libvirtDirectory: {
      type: 'string',
      minLength: 1,
      default: NODE_LOG_DEFAULTS.libvirtDirectory,
      description: 'what is /var/log/libvirt to the libvirt of this node, as seen from here',
    },
    ovsDirectories: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: NODE_LOG_DEFAULTS.ovsDirectories,
      description: 'where Open vSwitch and OVN write their logs',
    },
    agentFiles: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'what our own programs on this node write to, where that is not the journal',
    },
  },
  required: ['journalctl', 'libvirtDirectory', 'ovsDirectories', 'agentFiles'],
} as const satisfies ConfigSchema;

const NODE_API = {
  type: 'object',
  properties: {
    listen: {
      type: 'string',
      default: '0.0.0.0:8186',
      description: 'address and port of the node API, for consoles and calls to guests; empty listens nowhere',
    },
    advertise: {
      type: 'string',
      default: '',
      description:
        'the name or address that others reach it by; else that of listen, else the first of a card of this machine',
    },
    certificate: {
      type: 'string',
      default: '',
      description: 'the file of its TLS certificate; without one the handler makes its own in state',
    },
    key: { type: 'string', default: '', description: 'the file of the key of that' },
    authority: {
      type: 'string',
      default: '',
      description: 'the file of who signed it, where not everybody trusts that',
    },
    audience: { type: 'string', default: '', description: 'whom tokens are for, {node} is its name; else the server' },
    formerAudience: { type: 'string', default: '', description: 'whom tokens may be for as well, during an upgrade' },
    mostStreams: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: NODE_API_DEFAULTS.mostStreams,
      description: 'consoles, displays and forwarded ports at a time',
    },
  },
  required: ['listen', 'advertise', 'certificate', 'key', 'authority', 'audience', 'formerAudience', 'mostStreams'],
} as const satisfies ConfigSchema;

const VIRT_HANDLER = {
  type: 'object',
  description: 'Makes domains run on this node as the instances there say, until Ctrl-C; guests run on after it.',
  properties: {
    node: {
      type: 'string',
      default: '',
      description: 'the name of the node; else NODE_NAME, else the name of the host',
    },
    namespace: { type: 'string', minLength: 1, default: DEFAULT_NAMESPACE, description: 'where its Lease lives' },
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    state: {
      type: 'string',
      minLength: 1,
      default: DEFAULT_STATE_DIRECTORY,
      description: 'where the files of guests are; the same path on every node',
    },
    sandboxes: {
      type: 'string',
      enum: POD_KEEPERS,
      default: 'auto',
      description: 'who runs the pods of this node; auto: the kubelet where its socket is, else the pod runner',
    },
    pods: {
      type: 'string',
      minLength: 1,
      default: DEFAULT_PODS_DIRECTORY,
      description: 'where the pod runner keeps what it makes for pods',
    },
    kubelet: KUBELET,
    hostDisk: HOST_DISK,
    hostDevices: HOST_DEVICES,
    drivers: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'the hypervisors that this node offers; empty: all that its libvirt has, without lxc and the mock',
    },
    libvirt: LIBVIRT,
    maxStarts: { type: 'integer', minimum: 1, maximum: 1_000, default: 8, description: 'guests started at a time' },
    migration: MIGRATION,
    network: NETWORK,
    logs: LOGS,
    nodeApi: NODE_API,
    listen: {
      type: 'string',
      default: '127.0.0.1:9186',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    log: logSettings,
  },
  required: [
    'node',
    'namespace',
    'kubeconfig',
    'state',
    'sandboxes',
    'pods',
    'kubelet',
    'hostDisk',
    'hostDevices',
    'drivers',
    'libvirt',
    'maxStarts',
    'migration',
    'network',
    'logs',
    'nodeApi',
    'listen',
    'log',
  ],
} as const satisfies ConfigSchema;

const VARIABLES = 'SMALT_VIRT_HANDLER_';

/** Reads the settings of `smalt virt-handler` from its flags, variables and file. */
export async function loadVirtHandlerConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<VirtHandlerConfig>> {
  return await loadConfig(VIRT_HANDLER, {
    ...sources,
    programName: 'smalt virt-handler',
    environmentPrefix: VARIABLES,
  });
}

/** All settings of `smalt virt-handler`, with their flags and variables. */
export function virtHandlerFields(): readonly ConfigField[] {
  return configFields(VIRT_HANDLER, VARIABLES);
}

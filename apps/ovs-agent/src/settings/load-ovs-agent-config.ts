import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';

import { DEFAULT_NAMESPACE, DEFAULT_WRITES_PER_MINUTE, RUN_DIRECTORIES } from '../ovs-agent-options.ts';
import type { OvsAgentConfig } from './ovs-agent-config.ts';

const SOUTHBOUND = {
  type: 'object',
  properties: {
    read: {
      type: 'boolean',
      default: true,
      description: 'read the southbound database of OVN too: it knows ports that were claimed twice and stale flows',
    },
    certificate: { type: 'string', default: '', description: 'the file of the client certificate for ssl: remotes' },
    key: { type: 'string', default: '', description: 'the file of its key' },
    authority: { type: 'string', default: '', description: 'the file of the authority of the southbound database' },
  },
  required: ['read', 'certificate', 'key', 'authority'],
} as const satisfies ConfigSchema;

/** How often things are looked at, and how long an answer may take. */
const INTERVALS = {
  type: 'object',
  properties: {
    refreshSeconds: {
      type: 'number',
      minimum: 1,
      maximum: 3_600,
      default: 10,
      description: 'how often ovs-vswitchd is asked what no event tells; seldomer where it is slow',
    },
    controllerSeconds: {
      type: 'number',
      minimum: 0.5,
      maximum: 600,
      default: 1,
      description: 'how often ovn-controller is asked whether it is connected',
    },
    countersSeconds: {
      type: 'number',
      minimum: 1,
      maximum: 86_400,
      default: 60,
      description: 'how often the OVSNode is written when nothing but counters changed',
    },
    writesPerMinute: {
      type: 'number',
      minimum: 1,
      maximum: 6_000,
      default: DEFAULT_WRITES_PER_MINUTE,
      description:
        'how often the OVSNode may be written however much happens, beside a few writes at once now and then',
    },
    answerSeconds: {
      type: 'number',
      minimum: 0.1,
      maximum: 60,
      default: 3,
      description: 'how long a daemon may take to answer before it counts as silent',
    },
    scanSeconds: {
      type: 'number',
      minimum: 0,
      maximum: 604_800,
      default: 900,
      description: 'how often flows are compared with the southbound database, seldomer on large nodes; 0 never',
    },
  },
  required: [
    'refreshSeconds',
    'controllerSeconds',
    'countersSeconds',
    'writesPerMinute',
    'answerSeconds',
    'scanSeconds',
  ],
} as const satisfies ConfigSchema;

/** How the troubleshooting API is served, and how much it may cost. */
const TROUBLESHOOT = {
  type: 'object',
  properties: {
    listen: {
      type: 'string',
      default: '',
      description: 'address and port of the troubleshooting API, such as 0.0.0.0:9443; empty listens nowhere',
    },
    advertise: {
      type: 'string',
      default: '',
      description: 'the name or address that others reach it by; else that of listen, else the first of this machine',
    },
    certificate: {
      type: 'string',
      default: '',
      description: 'the file of its TLS certificate; without one the agent makes its own in state',
    },
    key: { type: 'string', default: '', description: 'the file of the key of that' },
    authority: {
      type: 'string',
      default: '',
      description: 'the file of who signed it, where not everybody trusts that',
    },
    audience: { type: 'string', default: '', description: 'whom tokens have to be made for; empty: the API server' },
    tcpdump: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      default: ['tcpdump'],
      description: 'the program that captures packets, and its first words',
    },
    ip: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      default: ['ip'],
      description: 'the program that takes devices up, and its first words',
    },
    mostCaptures: { type: 'integer', minimum: 0, maximum: 100, default: 4, description: 'captures at a time' },
    mostCaptureSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description: 'how long a capture may take',
    },
    mostCaptureMebibytes: {
      type: 'integer',
      minimum: 1,
      maximum: 65_536,
      default: 256,
      description: 'how much a capture may hold',
    },
  },
  required: [
    'listen',
    'advertise',
    'certificate',
    'key',
    'authority',
    'audience',
    'tcpdump',
    'ip',
    'mostCaptures',
    'mostCaptureSeconds',
    'mostCaptureMebibytes',
  ],
} as const satisfies ConfigSchema;

const OVS_AGENT = {
  type: 'object',
  description: 'Tells what the case is with Open vSwitch and OVN on this node, in its OVSNode, until Ctrl-C.',
  properties: {
    node: {
      type: 'string',
      default: '',
      description: 'the name of the node and of its OVSNode; else NODE_NAME, else the name of the host',
    },
    namespace: { type: 'string', minLength: 1, default: DEFAULT_NAMESPACE, description: 'where the OVSNode lives' },
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    state: {
      type: 'string',
      minLength: 1,
      default: '/var/lib/smalt/ovs-agent',
      description: 'where the agent keeps the certificate that it made for the troubleshooting API',
    },
    lock: {
      type: 'string',
      default: '',
      description: 'the directory of the lock that keeps a second agent off this node, the same for both; else state',
    },
    runDirectories: {
      type: 'array',
      items: { type: 'string', pattern: '^/' },
      minItems: 1,
      default: [...RUN_DIRECTORIES],
      description: 'where the sockets and pid files of Open vSwitch and OVN are, tried in this order, below root',
    },
    root: {
      type: 'string',
      minLength: 1,
      default: '/',
      description: 'where the file system of the host is seen; a container may have it mounted elsewhere',
    },
    bridges: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'bridges that must be there, beside those that OVN is told to use',
    },
    disabledRules: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'rules that find no issues, such as UnmanagedPort; the README lists them',
    },
    ...INTERVALS.properties,
    southbound: SOUTHBOUND,
    libvirt: {
      type: 'string',
      default: '',
      description: 'the URI of libvirt, to find ports whose guest is gone; empty does not ask it',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:9179',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    troubleshoot: TROUBLESHOOT,
    log: logSettings,
  },
  required: [
    'node',
    'namespace',
    'kubeconfig',
    'state',
    'lock',
    'runDirectories',
    'root',
    'bridges',
    'disabledRules',
    ...INTERVALS.required,
    'southbound',
    'libvirt',
    'listen',
    'troubleshoot',
    'log',
  ],
} as const satisfies ConfigSchema;

const VARIABLES = 'SMALT_OVS_AGENT_';

/** Reads the settings of `smalt ovs-agent` from its flags, variables and file. */
export async function loadOvsAgentConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<OvsAgentConfig>> {
  return await loadConfig(OVS_AGENT, { ...sources, programName: 'smalt ovs-agent', environmentPrefix: VARIABLES });
}

/** All settings of `smalt ovs-agent`, with their flags and variables. */
export function ovsAgentFields(): readonly ConfigField[] {
  return configFields(OVS_AGENT, VARIABLES);
}

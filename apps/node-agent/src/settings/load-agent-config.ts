import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigProperty,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';

import type { NodeAgentConfig } from './agent-settings.ts';
import type { HaAgentConfig } from './ha-config.ts';

const HA = {
  type: 'object',
  properties: {
    url: {
      type: 'string',
      default: '',
      description: 'where the HA service is, such as https://ha.example; empty reports to none',
    },
    certificate: { type: 'string', default: '', description: 'the file of the client certificate for the HA service' },
    key: { type: 'string', default: '', description: 'the file of its key' },
    token: { type: 'string', default: '', description: 'a file with a bearer token, instead of a certificate' },
    authority: { type: 'string', default: '', description: 'the file of the authority of the HA service' },
    allowPlainHttp: {
      type: 'boolean',
      default: false,
      description: 'let reports leave this machine without encryption',
    },
    reports: { type: 'string', default: '', description: 'a YAML file that says what is reported; empty reports all' },
    maxQueuedRecords: {
      type: 'integer',
      minimum: 100,
      default: 100_000,
      description: 'how many records wait on disk while the HA service is away',
    },
    maxQueuedMebibytes: { type: 'integer', minimum: 1, default: 64, description: 'how much room they may take' },
  },
  required: [
    'url',
    'certificate',
    'key',
    'token',
    'authority',
    'allowPlainHttp',
    'reports',
    'maxQueuedRecords',
    'maxQueuedMebibytes',
  ],
} as const satisfies ConfigSchema;

const NODE = {
  type: 'string',
  default: '',
  description: 'the name of the node and of its Hypervisor; else HOSTNAME, else the name of the host',
} as const satisfies ConfigProperty;

const LIBVIRT = {
  type: 'string',
  default: '',
  description:
    'the URI of the daemon, such as qemu:///system, ch+unix:///system?socket=PATH, qemu+tcp://HOST/system or qemu+tls://HOST/system?pkipath=DIRECTORY; else LIBVIRT_DEFAULT_URI and LIBVIRT_SOCKET, else the first local socket of virtqemud, virtchd or libvirtd',
} as const satisfies ConfigProperty;

const KUBECONFIG = {
  type: 'string',
  default: '',
  description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
} as const satisfies ConfigProperty;

const NODE_AGENT = {
  type: 'object',
  description:
    'Reports on the hypervisor of this node until Ctrl-C: what libvirt and systemd say, in the status of its Hypervisor.',
  properties: {
    node: NODE,
    namespace: {
      type: 'string',
      default: '',
      description: 'where Migrations and the Lease of the agent live; else NAMESPACE, else that of the kubeconfig',
    },
    kubeconfig: KUBECONFIG,
    state: {
      type: 'string',
      minLength: 1,
      default: '/var/lib/smalt/node-agent',
      description: 'where the agent keeps what must outlive it',
    },
    register: { type: 'boolean', default: false, description: 'make the Hypervisor where there is none' },
    daemon: {
      type: 'string',
      enum: ['host', 'managed'],
      default: 'host',
      description:
        'whether the host provides the libvirt daemon, or the agent starts one, which outlives it, and keeps it running',
    },
    libvirt: LIBVIRT,
    pollSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: 60,
      description: 'how often to look for changes that no event tells',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:9177',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    root: {
      type: 'string',
      minLength: 1,
      default: '/',
      description: 'where the file system of the host is seen; a container has it mounted elsewhere',
    },
    bus: {
      type: 'string',
      minLength: 1,
      default: '/run/dbus/system_bus_socket',
      description: 'the socket of the system bus, by which systemd is asked',
    },
    units: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z0-9:_.@-]+\\.[a-z]+$' },
      default: ['libvirtd.service', 'openvswitch-switch.service', 'virtqemud.service', 'virtchd.service'],
      description: 'the units whose states become conditions',
    },
    certificates: {
      type: 'object',
      properties: {
        install: {
          type: 'boolean',
          default: true,
          description: 'install the TLS secret of the host for libvirt where the Hypervisor asks for it',
        },
        directory: {
          type: 'string',
          default: '',
          description: 'below which the files of certificates lie; else PKI_PATH, else /etc/pki',
        },
        namespace: {
          type: 'string',
          default: '',
          description: 'the only namespace that the secret is taken from; else that of the agent',
        },
        guestAccount: {
          type: 'string',
          default: '',
          description:
            'the name or number of the account that guests run under, which may read their keys; else what libvirt says, else user in qemu.conf, else libvirt-qemu or qemu',
        },
      },
      required: ['install', 'directory', 'namespace', 'guestAccount'],
    },
    updateLimitMinutes: {
      type: 'integer',
      minimum: 1,
      maximum: 10_080,
      default: 120,
      description: 'how long an update of the operating system may take',
    },
    rebootLimitMinutes: {
      type: 'integer',
      minimum: 1,
      maximum: 10_080,
      default: 30,
      description: 'how long a reboot is held back while guests move away; InhibitDelayMaxSec of logind limits it too',
    },
    inhibit: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      default: ['systemd-inhibit'],
      description: 'the program, and its first words, that holds back a reboot',
    },
    migrations: {
      type: 'object',
      properties: {
        timeToLiveHours: {
          type: 'number',
          minimum: 0.01,
          default: 24,
          description: 'how long a Migration stays after its end',
        },
      },
      required: ['timeToLiveHours'],
    },
    haAgent: {
      type: 'boolean',
      default: true,
      description: 'run the HA agent inside; not where smalt ha-agent runs beside it',
    },
    ha: HA,
    log: logSettings,
  },
  required: [
    'node',
    'namespace',
    'kubeconfig',
    'state',
    'register',
    'daemon',
    'libvirt',
    'pollSeconds',
    'listen',
    'root',
    'bus',
    'units',
    'certificates',
    'updateLimitMinutes',
    'rebootLimitMinutes',
    'inhibit',
    'migrations',
    'haAgent',
    'ha',
    'log',
  ],
} as const satisfies ConfigSchema;

const HA_AGENT = {
  type: 'object',
  description: 'Tells the HA service what happens to the domains of this node, until Ctrl-C.',
  properties: {
    node: NODE,
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server, for the condition HaAgent of the Hypervisor; empty tells none',
    },
    state: {
      type: 'string',
      minLength: 1,
      default: '/var/lib/smalt/ha-agent',
      description: 'where records wait for the HA service',
    },
    libvirt: LIBVIRT,
    listen: {
      type: 'string',
      default: '127.0.0.1:9178',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    ha: HA,
    log: logSettings,
  },
  required: ['node', 'kubeconfig', 'state', 'libvirt', 'listen', 'ha', 'log'],
} as const satisfies ConfigSchema;

const VARIABLES = 'SMALT_NODE_AGENT_';
const HA_VARIABLES = 'SMALT_HA_AGENT_';

type Sources = Pick<ConfigSources, 'arguments' | 'environment'>;

/** Reads the settings of `smalt node-agent` from its flags, variables and file. */
export async function loadNodeAgentConfig(sources: Sources): Promise<LoadedConfig<NodeAgentConfig>> {
  return await loadConfig(NODE_AGENT, {
    ...sources,
    programName: 'smalt node-agent',
    environmentPrefix: VARIABLES,
  });
}

/** All settings of `smalt node-agent`, with their flags and variables. */
export function nodeAgentFields(): readonly ConfigField[] {
  return configFields(NODE_AGENT, VARIABLES);
}

/** Reads the settings of `smalt ha-agent`. */
export async function loadHaAgentConfig(sources: Sources): Promise<LoadedConfig<HaAgentConfig>> {
  return await loadConfig(HA_AGENT, { ...sources, programName: 'smalt ha-agent', environmentPrefix: HA_VARIABLES });
}

/** All settings of `smalt ha-agent`, with their flags and variables. */
export function haAgentFields(): readonly ConfigField[] {
  return configFields(HA_AGENT, HA_VARIABLES);
}

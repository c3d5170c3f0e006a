import { join, resolve } from 'node:path';

import type { NodeAgentOptions } from '../node-agent-options.ts';
import type { HaAgentOptions } from '../start-ha-agent.ts';
import { findLibvirtUri } from './find-libvirt-uri.ts';
import { haSettings, type HaAgentConfig, type HaConfig, type LogConfig } from './ha-config.ts';

const MINUTE_MS = 60_000;

/** What `smalt node-agent` is told. */
export interface NodeAgentConfig {
  readonly node: string;
  readonly namespace: string;
  readonly kubeconfig: string;
  readonly state: string;
  readonly register: boolean;
  readonly daemon: string;
  readonly libvirt: string;
  readonly pollSeconds: number;
  readonly listen: string;
  readonly root: string;
  readonly bus: string;
  readonly units: readonly string[];
  readonly certificates: {
    readonly install: boolean;
    readonly directory: string;
    readonly namespace: string;
    readonly guestAccount: string;
  };
  readonly updateLimitMinutes: number;
  readonly rebootLimitMinutes: number;
  readonly inhibit: readonly string[];
  readonly migrations: { readonly timeToLiveHours: number };
  readonly haAgent: boolean;
  readonly ha: HaConfig;
  readonly log: LogConfig;
}

/** What the settings leave open is looked up here. */
export interface SettingsSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  readonly exists: (path: string) => Promise<boolean>;
}

export type HaAgentTask = Pick<HaAgentOptions, 'nodeName' | 'libvirtUri' | 'stateDirectory' | 'ha'>;

export type AgentSettings = Omit<NodeAgentOptions, 'kubeConfig' | 'logger'>;

/** Makes what an agent is told of a configuration and its surroundings. What cannot work is refused by its name. */
export async function agentSettings(config: NodeAgentConfig, around: SettingsSurroundings): Promise<AgentSettings> {
  const { environment } = around;
  const { certificates } = config;
  return {
    nodeName: nodeNameOf(config, around),
    namespace: given(config.namespace, environment['NAMESPACE']),
    stateDirectory: resolve(config.state),
    register: config.register,
    libvirt: await libvirtChoice(config, around),
    pollMs: config.pollSeconds * 1000,
    root: resolve(config.root),
    busPath: resolve(config.bus),
    units: config.units,
    certificates: {
      install: certificates.install,
      directory: resolve(given(certificates.directory, environment['PKI_PATH']) ?? '/etc/pki'),
      namespace: given(certificates.namespace, undefined),
      guestAccount: given(certificates.guestAccount, undefined),
    },
    updateLimitMs: config.updateLimitMinutes * MINUTE_MS,
    rebootLimitMs: config.rebootLimitMinutes * MINUTE_MS,
    inhibitCommand: config.inhibit,
    migrations: { timeToLiveMs: config.migrations.timeToLiveHours * 60 * MINUTE_MS },
    ha: config.haAgent ? haSettings(config.ha, 'ha.') : undefined,
    environment,
  };
}

/** The settings of an HA agent that runs alone. */
export async function haAgentSettings(config: HaAgentConfig, around: SettingsSurroundings): Promise<HaAgentTask> {
  return {
    nodeName: nodeNameOf(config, around),
    libvirtUri: await libvirtUri(config, around),
    stateDirectory: resolve(config.state),
    ha: haSettings(config.ha, 'ha.'),
  };
}

// Names of nodes have small letters; those of hosts may have others.
function nodeNameOf({ node }: { readonly node: string }, { environment, hostname }: SettingsSurroundings): string {
  return given(node, environment['HOSTNAME']) ?? hostname.toLowerCase();
}

async function libvirtChoice(
  config: NodeAgentConfig,
  around: SettingsSurroundings,
): Promise<NodeAgentOptions['libvirt']> {
  if (config.daemon === 'managed') return { kind: 'managed', directory: join(resolve(config.state), 'libvirt') };
  return { kind: 'host', uri: await libvirtUri(config, around) };
}

async function libvirtUri(
  { libvirt }: { readonly libvirt: string },
  { environment, exists }: SettingsSurroundings,
): Promise<string> {
  const { LIBVIRT_DEFAULT_URI: defaultUri, LIBVIRT_SOCKET: socket } = environment;
  return await findLibvirtUri({ uri: libvirt, defaultUri, socket, exists });
}

function given(setting: string, variable: string | undefined): string | undefined {
  if (setting !== '') return setting;
  return variable === '' ? undefined : variable;
}

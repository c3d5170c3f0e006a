import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { OvsAgentSettings } from '@smalt/ovs-agent';
import type { Logger } from '@smalt/service-runtime';

import { nodeName } from '../node-name.ts';
import { pathExists } from '../path-exists.ts';
import { SWITCH_NAMESPACE, type MachineAccounts } from '../virtual-machines/machine-accounts.ts';

/** Looked at before the agent, which knows better, is loaded. */
const DIRECTORIES: readonly string[] = ['/var/run/openvswitch', '/run/openvswitch'];
const LOOK_MS = 2_000;

export interface ReportSwitchOptions {
  readonly accounts: MachineAccounts;
  /** Where the agent keeps the certificate of its troubleshooting API. */
  readonly stateDirectory: string;
  /** Where Open vSwitch has its sockets. Left out: where it has them as a rule. */
  readonly switchDirectory?: string | undefined;
  /** Settings of the agent, by the names that `smalt ovs-agent` has for them: `SMALT_OVS_AGENT_BRIDGES`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly print: (line: string) => void;
  readonly log: Logger;
}

/** Reports on the Open vSwitch of this machine until the signal, from when there is one. Says nothing while there is none. */
export async function reportSwitch(options: ReportSwitchOptions, signal: AbortSignal): Promise<void> {
  const directories = options.switchDirectory === undefined ? DIRECTORIES : [options.switchDirectory];
  while (!(await isPresent(directories))) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
  const settings = { ...(await readSettings(options)), namespace: SWITCH_NAMESPACE };
  const { nodeName: name } = settings;
  const account = { name: 'smalt-ovs-agent', namespace: SWITCH_NAMESPACE, nodeName: name };
  const kubeConfig = await options.accounts.join(account, signal);
  const { startOvsAgent } = await import('@smalt/ovs-agent');
  await using agent = await startOvsAgent({ ...settings, kubeConfig, logger: options.log }, signal);
  options.print(`reporting its Open vSwitch as the OVSNode ${SWITCH_NAMESPACE}/${name}`);
  await agent.ended;
}

async function readSettings(options: ReportSwitchOptions): Promise<OvsAgentSettings> {
  const { switchDirectory } = options;
  // The console asks it for pictures, traces and captures.
  const environment = {
    SMALT_OVS_AGENT_STATE: options.stateDirectory,
    SMALT_OVS_AGENT_TROUBLESHOOT_LISTEN: '127.0.0.1:0',
    ...options.environment,
  };
  // A machine without Open vSwitch need not load it.
  const { loadOvsAgentConfig, ovsAgentSettings } = await import('@smalt/ovs-agent');
  const loaded = await loadOvsAgentConfig({ arguments: [], environment });
  if (loaded.kind !== 'config') throw new Error('the settings of the OVS agent cannot be read');
  const settings = ovsAgentSettings(loaded.config, { environment, hostname: nodeName(hostname()) });
  if (switchDirectory === undefined) return settings;
  const ofOvn = (settings.runDirectories ?? []).filter((directory) => directory.endsWith('/ovn'));
  return { ...settings, runDirectories: [switchDirectory, ...ofOvn] };
}

async function isPresent(directories: readonly string[]): Promise<boolean> {
  const found = await Promise.all(directories.map((directory) => pathExists(join(directory, 'db.sock'))));
  return found.includes(true);
}

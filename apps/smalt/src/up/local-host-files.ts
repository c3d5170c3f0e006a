import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { LocalHost, LocalNetwork } from '@smalt/local-hosts';

import type { HostAgentsConfig } from '../host/host-agents-config.ts';
import { SWITCH_NAMESPACE, SYSTEM_NAMESPACE, type Account } from '../virtual-machines/machine-accounts.ts';
import { dataPath } from './data-directory.ts';
import type { AgentSurroundings } from './fleet.ts';
import { HA_AUDIENCE } from './high-availability-settings.ts';
import { readOrMake } from './read-or-make.ts';
import { NODE_AGENT_ACCOUNT } from './start-high-availability.ts';

/** Where the files of a local host are. */
export function hostDirectory(dataDirectory: string, name: string): string {
  return join(dataPath(dataDirectory, 'hosts'), name);
}

/** The cgroup of a local host; the bridge has the name of the data directory in it. */
export function hostCgroup({ bridge }: Pick<LocalNetwork, 'bridge'>, name: string): string {
  return `/${bridge}/${name}`;
}

export interface HostConfigPlace {
  readonly dataDirectory: string;
  readonly host: LocalHost;
  readonly network: LocalNetwork;
  /** By which hosts reach the API server. */
  readonly apiUrl: string;
  /** Whether it runs virtual machines of ours; its libvirt has another master otherwise. */
  readonly hasMachines: boolean;
}

/** Writes what the agents of a local host are told, with tokens of their own accounts. */
export async function writeHostConfig(
  { dataDirectory, host, network, apiUrl, hasMachines }: HostConfigPlace,
  { accounts, server, highAvailability }: AgentSurroundings,
  signal: AbortSignal,
): Promise<void> {
  const directory = hostDirectory(dataDirectory, host.name);
  const agent = { name: NODE_AGENT_ACCOUNT, nodeName: host.name };
  const kubeconfig = async (account: Account): Promise<string> => {
    const tokenFile = await accounts.tokenFile(account, signal);
    const path = join(directory, `${account.name}.kubeconfig`);
    await writeFile(path, renderKubeconfig({ server: apiUrl, authority: server.ca, tokenFile }), { mode: 0o600 });
    return path;
  };
  const config: HostAgentsConfig = {
    node: host.name,
    address: host.address,
    uuid: await readOrMake(join(directory, 'uuid'), randomUUID),
    own: dataPath(dataDirectory, 'ownOfHost'),
    cgroupRoot: hostCgroup(network, host.name),
    logFile: host.logFile,
    namespace: SYSTEM_NAMESPACE,
    kubeconfigs: {
      nodeAgent: await kubeconfig(agent),
      podRunner: await kubeconfig({ name: 'smalt-pod-runner', nodeName: host.name }),
      virtHandler: hasMachines ? await kubeconfig({ name: 'smalt-virt-handler', nodeName: host.name }) : undefined,
      ovsAgent: await kubeconfig({ name: 'smalt-ovs-agent', namespace: SWITCH_NAMESPACE, nodeName: host.name }),
    },
    highAvailability: {
      url: highAvailability.url,
      authorityFile: highAvailability.authorityFile,
      tokenFile: await accounts.tokenFile({ ...agent, audience: HA_AUDIENCE }, signal),
      reportFile: highAvailability.reportFile,
    },
  };
  await writeFile(join(directory, 'agents.json'), `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
}

interface KubeconfigFacts {
  readonly server: string;
  readonly authority: string;
  readonly tokenFile: string;
}

function renderKubeconfig({ server, authority, tokenFile }: KubeconfigFacts): string {
  const data = Buffer.from(authority).toString('base64');
  // JSON is YAML. The server knows nothing of the address that is passed on to it.
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'smalt', cluster: { server, 'tls-server-name': 'localhost', 'certificate-authority-data': data } },
    ],
    users: [{ name: 'smalt', user: { tokenFile } }],
    contexts: [{ name: 'smalt', context: { cluster: 'smalt', user: 'smalt' } }],
    'current-context': 'smalt',
  });
}

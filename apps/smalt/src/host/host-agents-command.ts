import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loadKubeConfig, type KubeConfig } from '@smalt/kube';
import { keepRunning, openDetachedLibvirtd, type DetachedLibvirtd } from '@smalt/libvirt-daemon';
import { lendCapabilities } from '@smalt/local-hosts';
import type { Logger } from '@smalt/service-runtime';

import type { CommandContext } from '../command-context.ts';
import { commandLogger } from '../command-logger.ts';
import { serveAgent } from '../serve-agent.ts';
import { SmaltError } from '../smalt-error.ts';
import {
  hostLibvirtDirectory,
  hostPlaces,
  parseHostAgentsConfig,
  type HostAgentsConfig,
} from './host-agents-config.ts';
import { openSwitch, startSwitchAgent } from './host-switch-agent.ts';
import { startHostAgents, type HostAgents, type HostAgentsOptions } from './start-host-agents.ts';

/** libvirt's own, which clients need not name. */
const LIBVIRT_PORT = 16_509;
/** Guests are not root, and libvirt hands each the disks it may open. */
const unprivilegedGuests = { user: 'libvirt-qemu', group: 'kvm', dynamic_ownership: 1 };

/** Runs a local host until SIGTERM: its libvirtd, which stays, and all its agents. It is what such a host runs by itself. */
export async function hostAgentsCommand(context: CommandContext): Promise<number> {
  const [flag, path, ...rest] = context.arguments;
  if (flag !== '--config' || path === undefined || rest.length > 0) {
    throw new SmaltError('wrong-use', 'smalt up --hosts runs this; it takes --config FILE');
  }
  const config = parseHostAgentsConfig(await readFile(path, 'utf8'));
  const logger = commandLogger(config.node, { level: 'info', format: 'pretty' }, context);
  return await serveAgent(context, { listen: '', logger }, (_registries, signal) => startHost(config, logger, signal));
}

async function startHost(config: HostAgentsConfig, logger: Logger, signal: AbortSignal): Promise<HostAgents> {
  const [daemon, hostSwitch] = await Promise.all([openLibvirt(config, signal), openSwitch(config, logger, signal)]);
  await using stack = new AsyncDisposableStack();
  const options = { ...(await agentsOptions(config, daemon)), hostSwitch, log: logger };
  const agents = stack.use(await startHostAgents(options, signal));
  const reporter = hostSwitch && (await startSwitchAgent(config, hostSwitch, { logger, signal }));
  if (reporter !== undefined) stack.use(reporter);
  const onDeath = (delayMs: number): void => logger.warn({ delayMs }, 'libvirtd died; starting it again');
  const kept = keepRunning(daemon, { onDeath }, signal).then(() => agents.ended);
  const ended = Promise.race([agents.ended, kept, ...(reporter === undefined ? [] : [reporter.ended])]);
  ended.catch(() => undefined);
  const owned = stack.move();
  return { ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function agentsOptions(
  config: HostAgentsConfig,
  { uri, socketPath }: DetachedLibvirtd,
): Promise<Omit<HostAgentsOptions, 'hostSwitch' | 'log'>> {
  const { node, address, cgroupRoot, namespace, kubeconfigs, highAvailability, logFile } = config;
  const { url, authorityFile, tokenFile, reportFile } = highAvailability;
  return {
    nodeName: node,
    namespace,
    address,
    cgroupRoot,
    places: hostPlaces(config.own),
    identities: {
      nodeAgent: await identityOf(kubeconfigs.nodeAgent),
      podRunner: await identityOf(kubeconfigs.podRunner),
      virtHandler: kubeconfigs.virtHandler === undefined ? undefined : await identityOf(kubeconfigs.virtHandler),
    },
    libvirt: { uri, socketPath, runDirectory: join(hostLibvirtDirectory(config.own), 'run') },
    highAvailability: { service: { url, authorityFile, identity: { kind: 'token', tokenFile } }, reportFile },
    logFile,
  };
}

async function openLibvirt({ own, uuid, address }: HostAgentsConfig, signal: AbortSignal): Promise<DetachedLibvirtd> {
  const directory = hostLibvirtDirectory(own);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await lendCapabilities(directory);
  return await openDetachedLibvirtd({
    directory,
    hostUuid: uuid,
    // The wall of the network lets nobody but root of this machine and the other hosts in.
    open: { address, port: LIBVIRT_PORT },
    qemu: { ...unprivilegedGuests, migration_address: address, migration_host: address },
    signal,
  });
}

async function identityOf(path: string): Promise<KubeConfig> {
  return await loadKubeConfig({ path, environment: {} });
}

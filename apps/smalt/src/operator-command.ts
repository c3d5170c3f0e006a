import { hostname } from 'node:os';

import {
  allControllers,
  isKindsChanged,
  loadOperatorConfig,
  openStackOpener,
  splitConfig,
  startOperator,
  virtualMachinesOpener,
  withPasswordOfCommand,
  type OpenCompute,
  type OperatorConfig,
  type OperatorOptions,
  type SplitConfig,
} from '@smalt/hypervisor-operator';
import { isInCluster, loadKubeConfig } from '@smalt/kube';
import { loadCloudConfig } from '@smalt/openstack';
import type { Logger } from '@smalt/service-runtime';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { serveAgent } from './serve-agent.ts';

const VERSION = '0.1.0';
const PASSWORD_TIMEOUT_MS = 60_000;

/** Runs the operator until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function operatorCommand(context: CommandContext): Promise<number> {
  if (context.arguments.includes('--version')) {
    context.output.write(`smalt operator ${VERSION} (${process.platform}/${process.arch})\n`);
    return 0;
  }
  const loaded = await loadOperatorConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('operator', config.log, context);
  const options = await operatorOptions(config, logger, context);
  if (config.enableHttp2) logger.warn({}, 'enableHttp2 is without effect: HTTP/1.1 is all that is served');
  for (;;) {
    try {
      return await serve(config, options, context);
    } catch (error) {
      if (!isKindsChanged(error)) throw error;
      logger.info({ reason: error.message }, 'starting anew');
    }
  }
}

async function serve(config: OperatorConfig, options: OperatorOptions, context: CommandContext): Promise<number> {
  const { logger } = options;
  const service = {
    logger,
    listen: bindAddress(config.metricsBindAddress),
    listenFlag: '--metrics-bind-address',
    probes: { flag: '--health-probe-bind-address', listen: bindAddress(config.healthProbeBindAddress) },
  };
  return await serveAgent(context, service, async (registries, signal) => {
    const operator = await startOperator({ ...options, ...registries }, signal);
    const { labelSelector, leaderElection } = options;
    logger.info({ labelSelector, leaseNamespace: leaderElection?.namespace }, 'the operator has started');
    return operator;
  });
}

async function operatorOptions(
  config: OperatorConfig,
  logger: Logger,
  { environment }: CommandContext,
): Promise<OperatorOptions> {
  const split = splitConfig(config);
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  const isElected = config.leaderElect ?? isInCluster(environment);
  return {
    kubeConfig,
    environment,
    logger,
    openCompute: await computeOpener(config, split, environment),
    controllers: allControllers(split.settings),
    labelSelector: config.labelSelector,
    stopTimeoutMs: config.stopTimeoutMs,
    discoveryMs: config.discoveryMs,
    leaderElection: isElected
      ? { namespace: config.leaseNamespace || kubeConfig.namespace, identity: `${hostname()}_${crypto.randomUUID()}` }
      : undefined,
  };
}

async function computeOpener(
  config: OperatorConfig,
  { openStack, virtualMachines }: SplitConfig,
  environment: CommandContext['environment'],
): Promise<OpenCompute> {
  if (config.compute === 'virtual-machines') return virtualMachinesOpener(virtualMachines);
  const cloud = await loadCloudConfig({
    environment: await withPasswordOfCommand(environment, AbortSignal.timeout(PASSWORD_TIMEOUT_MS)),
    cloud: config.openstack.cloud || undefined,
    allowsInsecure: config.openstack.allowsInsecure,
  });
  return openStackOpener(cloud, openStack);
}

/** An address as other operators take it: `:8081` is every address of this machine, `0` is none. */
function bindAddress(text: string): string {
  if (text === '0') return '';
  return text.startsWith(':') ? `[::]${text}` : text;
}

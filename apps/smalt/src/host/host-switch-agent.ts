import { join } from 'node:path';

import { loadKubeConfig } from '@smalt/kube';
import { openHostSwitch } from '@smalt/local-hosts';
import type { Logger } from '@smalt/service-runtime';

import { SWITCH_NAMESPACE } from '../virtual-machines/machine-accounts.ts';
import type { HostAgentsConfig } from './host-agents-config.ts';
import type { HostAgents, HostSwitchPlace } from './start-host-agents.ts';

/** What machines of a local host are plugged into. */
const BRIDGE = 'br-int';

/** The Open vSwitch of a local host; undefined where none is installed, or it does not start: a host does without. */
export async function openSwitch(
  { own, node }: HostAgentsConfig,
  logger: Logger,
  signal: AbortSignal,
): Promise<HostSwitchPlace | undefined> {
  try {
    const opened = await openHostSwitch({ directory: join(own, 'ovs'), name: node, bridges: [BRIDGE] }, signal);
    return opened && { ...opened, bridge: BRIDGE };
  } catch (error) {
    if (signal.aborted) throw error;
    logger.warn({ error }, 'this host has no Open vSwitch, because it did not start');
    return undefined;
  }
}

/**
 * Starts the agent that reports on the Open vSwitch of a local host, and lets people look into it from the console; undefined
 * where it does not start: machines run without it.
 */
export async function startSwitchAgent(
  { node, own, address, kubeconfigs }: HostAgentsConfig,
  { runDirectory, bridge }: HostSwitchPlace,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<HostAgents | undefined> {
  // A host without Open vSwitch need not load it.
  const { startOvsAgent, TROUBLESHOOTING_DEFAULTS } = await import('@smalt/ovs-agent');
  const options = {
    nodeName: node,
    namespace: SWITCH_NAMESPACE,
    kubeConfig: await loadKubeConfig({ path: kubeconfigs.ovsAgent, environment: {} }),
    runDirectories: [runDirectory],
    judgement: { expectedBridges: [bridge] },
    troubleshooting: { ...TROUBLESHOOTING_DEFAULTS, listen: `${address}:0`, stateDirectory: join(own, 'ovs-agent') },
    lockDirectory: join(own, 'ovs-agent'),
    logger,
  };
  try {
    return await startOvsAgent(options, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    logger.warn({ error }, 'nobody reports on the Open vSwitch of this host');
    return undefined;
  }
}

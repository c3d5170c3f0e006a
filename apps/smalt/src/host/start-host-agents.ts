import { dirname, join } from 'node:path';

import { openImageStore } from '@smalt/image-store';
import type { KubeConfig } from '@smalt/kube';
import { startNodeAgent, type NodeAgentOptions } from '@smalt/node-agent';
import { startPodRunner } from '@smalt/pod-runner';
import type { Logger } from '@smalt/service-runtime';
import {
  defaultNetworkSettings,
  localDrivers,
  NODE_API_DEFAULTS,
  startVirtHandler,
  type NetworkSettings,
} from '@smalt/virt-handler';
import { HypervisorDriver } from '@smalt/vm-api';

import { ownCommand } from '../own-command.ts';
import { startTogether } from '../start-together.ts';
import { usableDrivers } from '../virtual-machines/usable-drivers.ts';

/** All that run guests: where only root is let in, containers are no risk. */
const GUEST_DRIVERS = Object.values(HypervisorDriver).filter((name) => name !== HypervisorDriver.test);

/** Where a host keeps what is its own. */
export interface HostPlaces {
  readonly nodeAgent: string;
  readonly pki: string;
  readonly pods: string;
  readonly images: string;
  readonly volumes: string;
  readonly virtHandler: string;
}

export interface HostAgentsOptions {
  readonly nodeName: string;
  readonly places: HostPlaces;
  /** Whom each agent acts as. */
  readonly identities: {
    readonly nodeAgent: KubeConfig;
    readonly podRunner: KubeConfig;
    /** Left out where the libvirt has another master: two would take each other's guests for strangers. */
    readonly virtHandler?: KubeConfig | undefined;
  };
  /** Where Leases and Migrations live. */
  readonly namespace: string;
  readonly libvirt: { readonly uri: string; readonly socketPath: string; readonly runDirectory: string };
  /** What the HA service is told, where there is one. */
  readonly highAvailability?: NodeAgentOptions['ha'];
  /** By which other hosts reach this one; loopback is all there is without it. */
  readonly address?: string | undefined;
  /** The cgroup that those of pods are made in; that of the machine if not given. */
  readonly cgroupRoot?: string | undefined;
  /** The processors that no guest gets for itself; without any, none gets one. */
  readonly reservedProcessors?: readonly number[] | undefined;
  /** The file that what they log ends up in; where there is none, nobody can follow it. */
  readonly logFile: string;
  /** Its Open vSwitch, where it has one of its own: machines are plugged into its first bridge by the network `switch`. */
  readonly hostSwitch?: HostSwitchPlace | undefined;
  readonly log: Logger;
}

export interface HostSwitchPlace {
  readonly runDirectory: string;
  readonly logDirectory: string;
  readonly bridge: string;
}

/** The agents of one host. Disposing of them stops them in order; guests run on. */
export interface HostAgents extends AsyncDisposable {
  /** Resolves when all were told to stop and have; rejects when one cannot go on. */
  readonly ended: Promise<void>;
}

/** Starts what a host of the fleet runs: the node agent with the HA agent in it, the pod runner and, where it has machines, the virt-handler. */
export async function startHostAgents(options: HostAgentsOptions, signal: AbortSignal): Promise<HostAgents> {
  await using stack = new AsyncDisposableStack();
  const { virtHandler } = options.identities;
  const starts = [
    startRunner(options, signal),
    startReporter(options, signal),
    ...(virtHandler === undefined ? [] : [startHandler(options, virtHandler, signal)]),
  ];
  const agents = await startTogether(stack, starts);
  const ended = Promise.all(agents.map((agent) => agent.ended)).then(() => undefined);
  ended.catch(() => undefined);
  const owned = stack.move();
  return { ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startReporter(options: HostAgentsOptions, signal: AbortSignal): Promise<HostAgents> {
  const { nodeName, places, identities, namespace, libvirt, highAvailability, log } = options;
  return await startNodeAgent(
    {
      nodeName,
      namespace,
      kubeConfig: identities.nodeAgent,
      libvirt: { kind: 'host', uri: libvirt.uri },
      stateDirectory: places.nodeAgent,
      logger: log,
      // The certificates of this libvirtd are made with it, and guard loopback alone.
      certificates: { install: false, directory: places.pki },
      ha: highAvailability,
    },
    signal,
  );
}

async function startRunner(options: HostAgentsOptions, signal: AbortSignal): Promise<HostAgents> {
  const { nodeName, places, identities, address, cgroupRoot, reservedProcessors, log } = options;
  const { words: smaltCommand, environment: launcherEnvironment } = ownCommand();
  return await startPodRunner(
    {
      nodeName,
      kubeConfig: identities.podRunner,
      logger: log,
      smaltCommand,
      launcherEnvironment,
      podsDirectory: places.pods,
      images: openImageStore(places.images),
      volumesDirectory: places.volumes,
      address,
      cgroupRoot,
      reservedProcessors,
    },
    signal,
  );
}

async function startHandler(
  options: HostAgentsOptions,
  kubeConfig: KubeConfig,
  signal: AbortSignal,
): Promise<HostAgents> {
  const { nodeName, places, libvirt, address, namespace, hostSwitch, log } = options;
  return await startVirtHandler(
    {
      nodeName,
      namespace,
      kubeConfig,
      logger: log,
      stateDirectory: places.virtHandler,
      podsDirectory: places.pods,
      // Beside the state, never in it: guests are given what lies there.
      hostDiskDirectories: [join(dirname(places.virtHandler), 'host-disks')],
      drivers: await usableDrivers(localDrivers(libvirt, GUEST_DRIVERS), signal),
      // The logs of a libvirt that we started lie beside what it has in /run.
      logs: {
        libvirtDirectory: join(dirname(libvirt.runDirectory), 'log'),
        agentFiles: [options.logFile],
        ...(hostSwitch !== undefined && { ovsDirectories: [hostSwitch.logDirectory] }),
      },
      networks: hostSwitch && switchedNetworks(hostSwitch),
      nodeApi: {
        ...NODE_API_DEFAULTS,
        listen: `${address ?? '127.0.0.1'}:0`,
        stateDirectory: join(places.virtHandler, 'node-api'),
      },
      ...(address !== undefined && {
        migration: { peerUri: '{driver}+tcp://{address}/system', address, isWalled: true },
      }),
    },
    signal,
  );
}

function switchedNetworks({ runDirectory, bridge }: HostSwitchPlace): NetworkSettings {
  const ovsDatabase = `unix:${join(runDirectory, 'db.sock')}`;
  return { ...defaultNetworkSettings, networks: { switch: `ovs:${bridge}` }, ovsDatabase };
}

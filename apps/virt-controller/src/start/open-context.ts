import {
  countClientRequests,
  eventKind,
  EventRecorder,
  systemClock,
  type Clock,
  type ControllerManager,
  type Informers,
} from '@smalt/controller-runtime';
import { KubeClient } from '@smalt/kube';
import { createIgnore, type MetricsRegistry } from '@smalt/service-runtime';
import {
  migrationPolicyKind,
  virtualMachineClusterInstancetypeKind,
  virtualMachineClusterPreferenceKind,
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  virtualMachineInstanceReplicaSetKind,
  virtualMachineInstancetypeKind,
  virtualMachineKind,
  virtualMachinePoolKind,
  virtualMachinePreferenceKind,
} from '@smalt/vm-api';
import { HeartbeatSightings } from '@smalt/vm-lifecycle';

import { nodeKind, slimNode } from '../kinds/cluster-node.ts';
import { fencedHypervisorKind, slimHypervisor } from '../kinds/fenced-hypervisor.ts';
import { launcherPods, podKind, slimLauncherPod } from '../kinds/launcher-pod.ts';
import { namespaceKind } from '../kinds/migration-policy.ts';
import { volumeClaimKind } from '../kinds/volume-claim.ts';
import { defaultVirtControllerSettings } from '../settings/virt-controller-settings.ts';
import type { ChoiceSources, PolicySources, VirtControllerContext } from '../virt-controller-context.ts';
import type { VirtControllerOptions } from '../virt-controller-options.ts';
import { isServed, requireKinds } from './served-kinds.ts';

const COMPONENT = 'virt-controller';
const USER_AGENT = `${COMPONENT}/0.1.0`;
const KINDS = [
  virtualMachineKind,
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  virtualMachineInstanceReplicaSetKind,
];

/** Opens the way to the API, and makes sure that the cluster knows the kinds. */
export async function openClient(
  { kubeConfig: config, environment }: VirtControllerOptions,
  metrics: MetricsRegistry,
  signal: AbortSignal,
): Promise<KubeClient> {
  const onExchange = countClientRequests(metrics);
  await using stack = new AsyncDisposableStack();
  const client = stack.use(new KubeClient({ config, userAgent: USER_AGENT, environment, onExchange }));
  await requireKinds(client, KINDS, signal);
  stack.move();
  return client;
}

export interface ContextParts {
  readonly client: KubeClient;
  readonly manager: ControllerManager;
  readonly metrics: MetricsRegistry;
}

/** Puts together what the controllers share. */
export async function openContext(
  options: VirtControllerOptions,
  { client, manager, metrics }: ContextParts,
  signal: AbortSignal,
): Promise<VirtControllerContext> {
  const { logger, settings, clock = systemClock, random = Math.random } = options;
  const { informers } = manager;
  const ignore = createIgnore(metrics, logger);
  const hasHypervisors = await isServed(client, fencedHypervisorKind, signal);
  return {
    client,
    machines: informers.for(virtualMachineKind),
    instances: informers.for(virtualMachineInstanceKind),
    migrations: informers.for(virtualMachineInstanceMigrationKind),
    replicaSets: informers.for(virtualMachineInstanceReplicaSetKind),
    pools: (await isServed(client, virtualMachinePoolKind, signal)) ? informers.for(virtualMachinePoolKind) : undefined,
    pods: informers.for(podKind, { select: { labelSelector: launcherPods }, transform: slimLauncherPod }),
    nodes: informers.for(nodeKind, { transform: slimNode }),
    heartbeats: new HeartbeatSightings(),
    claims: informers.for(volumeClaimKind),
    hypervisors: hasHypervisors ? informers.for(fencedHypervisorKind, { transform: slimHypervisor }) : undefined,
    policies: await policySources(client, informers, signal),
    choices: await choiceSources(client, informers, signal),
    settings: { ...defaultVirtControllerSettings, ...settings },
    recorder: recorderOf(client, clock, (error) => ignore(error, 'an event is not worth a failure')),
    metrics,
    logger,
    ignore,
    clock,
    random,
  };
}

function recorderOf(client: KubeClient, clock: Clock, onFailure: (error: unknown) => void): EventRecorder {
  return new EventRecorder(client.resource(eventKind), { component: COMPONENT, clock, onFailure });
}

async function policySources(
  client: KubeClient,
  informers: Informers,
  signal: AbortSignal,
): Promise<PolicySources | undefined> {
  if (!(await isServed(client, migrationPolicyKind, signal))) return undefined;
  return { objects: informers.for(migrationPolicyKind), namespaces: informers.for(namespaceKind) };
}

async function choiceSources(
  client: KubeClient,
  informers: Informers,
  signal: AbortSignal,
): Promise<ChoiceSources | undefined> {
  if (!(await isServed(client, virtualMachineInstancetypeKind, signal))) return undefined;
  return {
    virtualmachineinstancetypes: informers.for(virtualMachineInstancetypeKind),
    virtualmachineclusterinstancetypes: informers.for(virtualMachineClusterInstancetypeKind),
    virtualmachinepreferences: informers.for(virtualMachinePreferenceKind),
    virtualmachineclusterpreferences: informers.for(virtualMachineClusterPreferenceKind),
  };
}

import { mkdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import {
  ApiOutages,
  ControllerManager,
  eventKind,
  EventRecorder,
  openAgentClient,
  systemClock,
  type Clock,
} from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { DEFAULT_PODS_DIRECTORY } from '@smalt/pod-sandbox';
import { createIgnore, HealthRegistry, MetricsRegistry, type Ignore } from '@smalt/service-runtime';

import { DeviceClaims } from '../host-devices/device-claims.ts';
import { NO_HOST_DEVICES, resourcesOf } from '../host-devices/host-device-settings.ts';
import { HostDevices } from '../host-devices/host-devices.ts';
import { readNodeDevices } from '../host-devices/read-node-devices.ts';
import { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import { localDrivers } from '../hypervisor-sessions/local-drivers.ts';
import { NODE_LOG_DEFAULTS } from '../logs/log-settings.ts';
import { NodeLogs } from '../logs/node-logs.ts';
import { addGuestMetrics } from '../metrics/add-guest-metrics.ts';
import { addHandlerMetrics, type HandlerMetrics } from '../metrics/handler-metrics.ts';
import { MigrationSource } from '../migration/migration-source.ts';
import { MigrationTarget } from '../migration/migration-target.ts';
import { DEFAULT_PEER_URI, plainMigrationWarning } from '../migration/peer-uri.ts';
import { createInstanceNetworks } from '../network/create-instance-networks.ts';
import type { NodeNetworks } from '../network/network-plugin.ts';
import { defaultNetworkSettings } from '../network/network-settings.ts';
import type { KubeletDevices } from '../node/devices/kubelet-devices.ts';
import { openKubeletDevices } from '../node/devices/open-kubelet-devices.ts';
import { handledNodeKind, type HandledNode } from '../node/handled-node.ts';
import { hasStaticCpuManager, kubeletDirectoryOf } from '../node/static-cpu-manager.ts';
import { NodeReporter } from '../node/node-reporter.ts';
import { powerProofs } from '../node/prove-off.ts';
import { findPodKeeper, openNodeSandboxes } from '../pods/open-node-sandboxes.ts';
import { createInstanceVolumes } from '../storage/create-instance-volumes.ts';
import type { HostDiskPlaces } from '../storage/host-disk/host-disk-places.ts';
import type { InstanceVolumes } from '../storage/volume-plugin.ts';
import type { MigrationSides, SyncAccess } from '../sync/instance-sync-options.ts';
import type { Sandboxes } from '../sync/sandboxes.ts';
import type { StartDeps } from '../sync/start/start-instance.ts';
import { InstanceSync } from '../sync/instance-sync.ts';
import { readHostUsage } from '../usage/read-host-usage.ts';
import { UsageSampler } from '../usage/usage-sampler.ts';
import { DEFAULT_STATE_DIRECTORY, type VirtHandlerOptions } from '../virt-handler-options.ts';
import { chooseOwnAddress } from './choose-own-address.ts';

const NAME = 'smalt-virt-handler';
/** As which the handler tells of instances too. */
const COMPONENT = 'virt-handler';
const VERSION = '0.1.0';
/** The processes of guests are not root's: they have to get through to their files, and need not see what else is there. */
const PASSABLE = 0o711;

/** The parts of a handler, put together and not yet at work. */
export interface HandlerParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  readonly handlerMetrics: HandlerMetrics;
  readonly ignore: Ignore;
  readonly apiOutages: ApiOutages;
  readonly manager: ControllerManager;
  readonly sessions: HypervisorSessions;
  readonly networks: NodeNetworks;
  readonly sync: InstanceSync;
  readonly sampler: UsageSampler;
  readonly logs: NodeLogs;
  readonly reporter: NodeReporter;
  /** Undefined where no kubelet is to offer the devices. */
  readonly devices: KubeletDevices | undefined;
}

/** What everything else is made of. */
type Foundation = Pick<
  HandlerParts,
  'client' | 'clock' | 'metrics' | 'health' | 'ignore' | 'apiOutages' | 'sessions' | 'networks'
> &
  Pick<VirtHandlerOptions, 'nodeName' | 'logger'> & {
    readonly stateDirectory: string;
    readonly volumes: InstanceVolumes;
    readonly sandboxes: Sandboxes;
    readonly hostDevices: HostDevices;
  };

/** Opens everything a handler needs; what has to be closed goes to the stack. */
export async function openHandler(given: VirtHandlerOptions, stack: AsyncDisposableStack): Promise<HandlerParts> {
  const keeper = await findPodKeeper(given);
  const options: VirtHandlerOptions = { ...given, sandboxes: keeper };
  const foundation = await openFoundation(options, stack);
  const manager = new ControllerManager(foundation);
  const { sandboxes, pods } = await openNodeSandboxes(options, manager.informers);
  const shared: Foundation = { ...foundation, sandboxes };
  const { nodeName, client, metrics, sessions, ignore } = shared;
  const migrations = (access: SyncAccess): MigrationSides => openMigrations(options, { shared, access }, stack);
  const findHostDevices: StartDeps['findHostDevices'] = (...asked) => shared.hostDevices.find(...asked);
  const sync = new InstanceSync({ ...shared, manager, migrations, findHostDevices, maxStarts: options.maxStarts });
  pods?.onChange((key) => sync.wake(key));
  const nodes = client.resource(handledNodeKind);
  const devices = await openDevices(options, shared);
  const { heartbeatMs, podsDirectory = DEFAULT_PODS_DIRECTORY, devicePlugins, machineDirectory } = options;
  const places = { keeper, podsDirectory, devicePlugins, machineDirectory };
  const hasCpuManager = (): Promise<boolean | undefined> => hasStaticCpuManager(places);
  const hostDevices = (): Promise<Readonly<Record<string, number>>> => shared.hostDevices.counts();
  const onFirstWrite = warnsOf(options, shared);
  const reporter = new NodeReporter({
    ...shared,
    nodes,
    devices,
    heartbeatMs,
    hasCpuManager,
    hostDevices,
    onFirstWrite,
  });
  const handlerMetrics = addHandlerMetrics(metrics, { nodeName, version: VERSION });
  addGuestMetrics({ nodeName, sessions: sessions.sessions, metrics, ignore });
  const measured = { ...shared, sessions: sessions.sessions, instances: sync, readHost: () => readHostUsage() };
  const sampler = new UsageSampler(measured);
  return { ...shared, handlerMetrics, manager, sync, sampler, logs: logsOf(options), reporter, devices };
}

/** Says in an event of the Node what its log says at the start: whoever applies files reads no notes of a chart. */
function warnsOf(
  { migration = {} }: VirtHandlerOptions,
  { client, nodeName, clock, ignore }: Foundation,
): ((node: HandledNode) => void) | undefined {
  const warning = plainMigrationWarning(migration);
  if (warning === undefined) return undefined;
  const onFailure = (error: unknown): void => ignore(error, 'the log says it as well');
  const events = new EventRecorder(client.resource(eventKind), {
    component: COMPONENT,
    host: nodeName,
    clock,
    onFailure,
  });
  return (node) => void events.record(node, 'Warning', 'PlainMigration', warning);
}

async function openDevices(
  { devicePlugins: directory, drivers = localDrivers({}), hostDevices = NO_HOST_DEVICES }: VirtHandlerOptions,
  { clock, logger }: Foundation,
): Promise<KubeletDevices | undefined> {
  if (directory === undefined) return undefined;
  const own = { resources: resourcesOf(hostDevices), read: () => readNodeDevices(hostDevices) };
  return await openKubeletDevices({ directory, drivers: Object.keys(drivers), hostDevices: own, clock, logger });
}

async function openFoundation(
  options: VirtHandlerOptions,
  stack: AsyncDisposableStack,
): Promise<Omit<Foundation, 'sandboxes'>> {
  const { nodeName, logger, clock = systemClock, stateDirectory = DEFAULT_STATE_DIRECTORY } = options;
  const { metrics = new MetricsRegistry(), health = new HealthRegistry(), networkNamespace } = options;
  await mkdir(join(stateDirectory, 'instances'), { recursive: true, mode: PASSABLE });
  const ignore = createIgnore(metrics, logger);
  const apiOutages = new ApiOutages(options.kubeConfig.server, logger, clock);
  const client = stack.use(openAgentClient({ ...options, userAgent: `${NAME}/${VERSION}`, metrics, apiOutages }));
  const sessions = stack.use(new HypervisorSessions({ drivers: options.drivers ?? localDrivers({}), logger }));
  const settings = options.networks ?? defaultNetworkSettings;
  const devices = openHostDevices(options, stateDirectory);
  const networks = createInstanceNetworks({
    settings,
    stateDirectory,
    logger,
    ignore,
    networkNamespace,
    devices,
    clock,
  });
  const volumes = createInstanceVolumes({ hostDisks: hostDisksOf(options) });
  const common = { nodeName, logger, clock, stateDirectory, metrics, health, ignore };
  return { ...common, apiOutages, client, sessions, networks, volumes, hostDevices: devices };
}

function openHostDevices(options: VirtHandlerOptions, stateDirectory: string): HostDevices {
  const settings = options.hostDevices ?? NO_HOST_DEVICES;
  const claims = new DeviceClaims({
    directory: join(stateDirectory, 'host-devices'),
    instancesDirectory: join(stateDirectory, 'instances'),
  });
  const hasKubelet = options.sandboxes === 'kubelet';
  return new HostDevices({
    read: () => readNodeDevices(settings),
    claims,
    resources: resourcesOf(settings),
    hasKubelet,
  });
}

/** The files of all instances and pods lie in these directories, so no disk of one may. */
function hostDisksOf(options: VirtHandlerOptions): HostDiskPlaces {
  const { stateDirectory = DEFAULT_STATE_DIRECTORY, podsDirectory = DEFAULT_PODS_DIRECTORY } = options;
  const kubelets = [kubeletDirectoryOf(undefined), kubeletDirectoryOf(options.devicePlugins)];
  const stateDirectories = [...new Set([stateDirectory, podsDirectory, ...kubelets])];
  return { directories: options.hostDiskDirectories ?? [], stateDirectories };
}

function logsOf({ nodeName, logs, podsDirectory = DEFAULT_PODS_DIRECTORY }: VirtHandlerOptions): NodeLogs {
  return new NodeLogs({ nodeName, podsDirectory, settings: { ...NODE_LOG_DEFAULTS, ...logs } });
}

interface MigrationParts {
  readonly shared: Foundation;
  readonly access: SyncAccess;
}

function openMigrations(
  options: VirtHandlerOptions,
  { access, shared }: MigrationParts,
  stack: AsyncDisposableStack,
): MigrationSides {
  const { peerUri = DEFAULT_PEER_URI, canEncrypt, address } = options.migration ?? {};
  const towards = {
    ...shared,
    directories: access.directories,
    wake: (key: string) => access.wake(key),
    tell: (...told: Parameters<SyncAccess['tell']>) => access.tell(...told),
  };
  const isProvenOff = powerProofs(shared.client.resource(handledNodeKind));
  return {
    source: stack.use(new MigrationSource({ ...towards, peerUri, canEncrypt, isProvenOff })),
    target: new MigrationTarget({
      ...towards,
      isProvenOff,
      // Asked when a guest comes: without one the handler serves the guests that it has.
      get address() {
        return address ?? ownAddress(options, 'migration.address');
      },
    }),
  };
}

/** The address of this machine that the setting leaves open. */
export function ownAddress({ networks = defaultNetworkSettings }: VirtHandlerOptions, setting: string): string {
  return chooseOwnAddress({ interfaces: networkInterfaces(), guestBridge: networks.nat.bridge, setting });
}

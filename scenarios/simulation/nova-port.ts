import {
  ComputeError,
  type ComputeAggregate,
  type ComputeEvacuation,
  type ComputeHost,
  type ComputeInstance,
  type HostIdentity,
} from '@smalt/compute';
import type { HaCompute } from '@smalt/ha-service';

import { servicePath } from './network.ts';
import { evacuate } from './nova-evacuate.ts';
import { coldMove } from './nova-cold-move.ts';
import {
  isOpen,
  type NovaEvacuation,
  type NovaServer,
  type NovaService,
  type SimulatedNova,
} from './simulated-nova.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { wallClock, WALL_START_MS } from './true-time.ts';
import type { World } from './world.ts';

export interface NovaPortOptions {
  readonly nova: SimulatedNova;
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly replica: string;
  /** Told at the moment at which an evacuation is asked for, before anything else. */
  readonly onEvacuate: (serverId: string) => void;
}

type Ask = <T>(what: string, kind: 'read' | 'write', effect: () => T, signal: AbortSignal) => Promise<T>;

/** The compute system as one process reaches it: slow at times, with answers that are lost. */
export function createNovaPort(options: NovaPortOptions): HaCompute {
  const ask = createAsk(options);
  return {
    hosts: hostsOf(options.nova, ask),
    instances: instancesOf(options.nova, ask),
    moves: movesOf(options, ask),
    evacuations: evacuationsOf(options, ask),
    aggregates: aggregatesOf(options.nova, ask),
  };
}

function createAsk({ nova, process, replica }: NovaPortOptions): Ask {
  return (what, kind, effect, signal) =>
    process.call(
      {
        what: `compute: ${what}`,
        path: servicePath(replica, 'nova'),
        effect: () => {
          nova.reach();
          return effect();
        },
        delayMs: kind === 'read' ? [20, nova.listDelayMs] : [20, 2_000],
        deadlineMs: 20_000,
        lossProbability: 0.01,
        unanswered: (message) => new ComputeError(kind === 'read' ? 'unavailable' : 'unknown-fate', message),
      },
      signal,
    );
}

function hostsOf(nova: SimulatedNova, ask: Ask): HaCompute['hosts'] {
  const change = (what: string, host: HostIdentity, signal: AbortSignal, run: (service: NovaService) => void) =>
    ask(`${what} ${nameOf(host)}`, 'write', () => run(nova.service(nameOf(host))), signal);
  return {
    find: (name, signal) =>
      ask('find a host', 'read', () => ({ ...hostOf(nova, nova.service(name)), isExact: true }), signal),
    get: (host, signal) => ask('show a host', 'read', () => hostOf(nova, nova.service(nameOf(host))), signal),
    list: (signal) =>
      ask('list hosts', 'read', () => [...nova.services.values()].map((service) => hostOf(nova, service)), signal),
    forceDown: (host, signal) =>
      change('force down', host, signal, (service) => {
        service.isForcedDown = true;
      }),
    clearForcedDown: (host, signal) =>
      change('no longer force down', host, signal, (service) => {
        service.isForcedDown = false;
      }),
    enable: (host, signal) =>
      change('enable', host, signal, (service) => {
        service.isEnabled = true;
        service.isForcedDown = false;
        service.disabledReason = undefined;
      }),
    disable: (host, reason, signal) =>
      change('disable', host, signal, (service) => {
        service.isEnabled = false;
        service.disabledReason = reason;
      }),
    deregister: () => Promise.reject(new ComputeError('refused', 'high availability removes no host')),
  };
}

function hostOf(nova: SimulatedNova, service: NovaService): ComputeHost {
  const { host, isEnabled, disabledReason, isForcedDown } = service;
  return {
    ...identityOf(host),
    name: host,
    isEnabled,
    disabledReason,
    isForcedDown,
    isUp: nova.isUp(service),
    zone: 'zone-1',
  };
}

function instancesOf(nova: SimulatedNova, ask: Ask): HaCompute['instances'] {
  const listed = (host: HostIdentity) =>
    [...nova.servers.values()].filter((server) => server.host === nameOf(host)).map((each) => instanceOf(nova, each));
  const found = (id: string) => {
    const server = nova.servers.get(id);
    return server === undefined ? undefined : instanceOf(nova, server);
  };
  const targets = (id: string) =>
    nova.targetsFor(nova.server(id)).map(({ host }) => ({
      hypervisorId: identityOf(host).hypervisorId,
      name: host,
      free: { MEMORY_MB: nova.freeMiB(host) },
    }));
  return {
    list: (host, signal) => ask('list servers', 'read', () => listed(host), signal),
    get: (id, signal) => ask('show a server', 'read', () => found(id), signal),
    targets: (instance, signal) => ask('list targets', 'read', () => targets(instance.id), signal),
    restart: (id, signal) => ask(`restart ${id}`, 'write', () => nova.restart(id), signal),
  };
}

function instanceOf(nova: SimulatedNova, server: NovaServer): ComputeInstance {
  const { id, host, memoryMiB, status, fault, metadata } = server;
  const states = { ACTIVE: 'running', SHUTOFF: 'stopped', ERROR: 'failed', REBUILD: 'busy', REBOOT: 'busy' } as const;
  return {
    id,
    name: id,
    state: states[status],
    stateText: status,
    guestState: nova.guestState(server),
    isMeantToRun: nova.isMeantToRun(server),
    hostName: host,
    hypervisorHostname: host,
    memoryMiB,
    resources: { MEMORY_MB: memoryMiB },
    requiredTraits: [],
    zone: undefined,
    obstacles: [],
    isLocked: false,
    metadata,
    flavorProperties: {},
    fault,
  };
}

function evacuationsOf({ nova, world, onEvacuate }: NovaPortOptions, ask: Ask): HaCompute['evacuations'] {
  const listed = (host: string, since: number) =>
    nova.evacuations
      .filter((each) => each.source === host && (isOpen(each) || (each.endedAt ?? 0) >= since))
      .map(evacuationOf);
  return {
    list: (host, since, signal) =>
      ask('list evacuations', 'read', () => listed(nameOf(host), since.getTime() - WALL_START_MS), signal),
    start: (instanceId, { targetName }, signal) => {
      onEvacuate(instanceId);
      return ask(`evacuate ${instanceId}`, 'write', () => evacuate(nova, world, instanceId, targetName), signal);
    },
  };
}

function evacuationOf(record: NovaEvacuation): ComputeEvacuation {
  const { id, serverId, status, source, target, startedAt } = record;
  const ended = status === 'done' || status === 'completed' ? 'done' : 'failed';
  return {
    id,
    instanceId: serverId,
    state: isOpen(record) ? 'open' : ended,
    stateText: status,
    sourceName: source,
    targetName: target,
    isCleared: status === 'completed',
    startedAt: wallClock(startedAt),
  };
}

function movesOf({ nova, world }: NovaPortOptions, ask: Ask): HaCompute['moves'] {
  return {
    list: (_host, _since, signal) => ask('list moves', 'read', () => [], signal),
    progress: (_move, signal) => ask('show a move', 'read', () => undefined, signal),
    startLive: (_id, signal) =>
      ask(
        'move a server',
        'write',
        () => {
          throw new ComputeError('refused', 'it does not run');
        },
        signal,
      ),
    startCold: (id, signal) => ask(`move ${id}`, 'write', () => coldMove(nova, world, id), signal),
    confirm: (_id, signal) => ask('confirm a move', 'write', () => undefined, signal),
    abort: (_move, signal) => ask('abort a move', 'write', () => undefined, signal),
  };
}

function aggregatesOf(nova: SimulatedNova, ask: Ask): HaCompute['aggregates'] {
  const known = () => [...new Set([...nova.services.values()].flatMap(({ aggregates }) => [...aggregates]))];
  return {
    membership: (host, signal) =>
      ask(
        'list aggregates',
        'read',
        () => ({ known: known().map(aggregate), joined: new Set(nova.service(nameOf(host)).aggregates) }),
        signal,
      ),
    join: (host, { id }, signal) =>
      ask('join an aggregate', 'write', () => void nova.service(nameOf(host)).aggregates.add(id), signal),
    leave: (host, { id }, signal) =>
      ask('leave an aggregate', 'write', () => void nova.service(nameOf(host)).aggregates.delete(id), signal),
  };
}

function aggregate(id: string): ComputeAggregate {
  return { id, uuid: id, name: id, metadata: undefined };
}

/** The ids under which the compute system knows a host. */
export function identityOf(host: string): HostIdentity {
  return { hypervisorId: `hypervisor-${host}`, serviceId: `service-${host}` };
}

function nameOf({ serviceId }: HostIdentity): string {
  return serviceId.slice('service-'.length);
}

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
  readonly onEvacuate: (serverId: string, target: string | undefined) => void;
  /** Told at the moment at which anything leaves that changes something. */
  readonly onOrder: (what: string) => void;
  /** Told of each answer to the question for all hosts. */
  readonly onList: (effectAt: number | undefined) => void;
  readonly onFacts: (fact: 'servers' | 'aggregates', host: string, effectAt: number | undefined) => void;
}

type Ask = <T>(
  question: {
    readonly what: string;
    readonly kind: 'read' | 'write';
    /** The host that it is about: its cell has to be within reach. */
    readonly about?: string | undefined;
    readonly heard?: (effectAt: number | undefined) => void;
  },
  effect: () => T,
  signal: AbortSignal,
) => Promise<T>;

/** The compute system as one process reaches it: slow at times, with answers that are lost. */
export function createNovaPort(options: NovaPortOptions): HaCompute {
  const ask = createAsk(options);
  return {
    hosts: hostsOf(options, ask),
    instances: instancesOf(options, ask),
    moves: movesOf(options, ask),
    evacuations: evacuationsOf(options, ask),
    aggregates: aggregatesOf(options, ask),
  };
}

function createAsk({ nova, process, replica, onOrder }: NovaPortOptions): Ask {
  return ({ what, kind, about, heard }, effect, signal) => {
    if (kind === 'write' && !signal.aborted) onOrder(what);
    return process.call(
      {
        what: `compute: ${what}`,
        path: servicePath(replica, 'nova'),
        effect: () => {
          nova.reach(about);
          return effect();
        },
        delayMs: kind === 'read' ? [20, nova.listDelayMs] : [20, 2_000],
        deadlineMs: 20_000,
        lossProbability: 0.01,
        unanswered: (message) => new ComputeError(kind === 'read' ? 'unavailable' : 'unknown-fate', message),
        ...(heard !== undefined && { heard }),
      },
      signal,
    );
  };
}

function hostsOf({ nova, onList }: NovaPortOptions, ask: Ask): HaCompute['hosts'] {
  const change = (what: string, host: HostIdentity, signal: AbortSignal, run: (service: NovaService) => void) =>
    ask(
      { what: `${what} ${nameOf(host)}`, kind: 'write', about: nameOf(host) },
      () => run(nova.service(nameOf(host))),
      signal,
    );
  const listed = () =>
    [...nova.services.values()].filter(({ host }) => !nova.awayHosts.has(host)).map((service) => hostOf(nova, service));
  return {
    find: (name, signal) =>
      ask(
        { ...read('find a host'), about: name },
        () => ({ ...hostOf(nova, nova.service(name)), isExact: true }),
        signal,
      ),
    get: (host, signal) =>
      ask({ ...read('show a host'), about: nameOf(host) }, () => hostOf(nova, nova.service(nameOf(host))), signal),
    list: (signal) => ask({ ...read('list hosts'), heard: onList }, listed, signal),
    forceDown: (host, signal) =>
      change('force down', host, signal, (service) => {
        service.isForcedDown = true;
      }),
    clearForcedDown: (host, signal) =>
      change('no longer force down', host, signal, (service) => {
        service.isForcedDown = false;
      }),
    enable: (host, signal) => change('enable', host, signal, enableService),
    disable: (host, reason, signal) =>
      change('disable', host, signal, (service) => {
        service.isEnabled = false;
        service.disabledReason = reason;
      }),
    deregister: () => Promise.reject(new ComputeError('refused', 'high availability removes no host')),
  };
}

function enableService(service: NovaService): void {
  service.isEnabled = true;
  service.isForcedDown = false;
  service.disabledReason = undefined;
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

function instancesOf({ nova, onFacts }: NovaPortOptions, ask: Ask): HaCompute['instances'] {
  const listed = (host: HostIdentity) =>
    [...nova.servers.values()].filter((server) => server.host === nameOf(host)).map((each) => instanceOf(nova, each));
  const hostNameOf = (id: string) => nova.servers.get(id)?.host;
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
    list: (host, signal) => {
      const name = nameOf(host);
      const heard = (effectAt: number | undefined) => onFacts('servers', name, effectAt);
      return ask({ ...read('list servers'), about: name, heard }, () => listed(host), signal);
    },
    get: (id, signal) => ask(read('show a server'), () => found(id), signal),
    targets: (instance, signal) => ask(read('list targets'), () => targets(instance.id), signal),
    restart: (id, signal) => ask(write(`restart ${id}`, hostNameOf(id)), () => nova.restart(id), signal),
    stop: (id, signal) => ask(write(`stop ${id}`, hostNameOf(id)), () => nova.stop(id), signal),
  };
}

function instanceOf(nova: SimulatedNova, server: NovaServer): ComputeInstance {
  const { id, host, memoryMiB, status, fault, metadata } = server;
  const states = { ACTIVE: 'running', SHUTOFF: 'stopped', ERROR: 'failed', REBUILD: 'busy', REBOOT: 'busy' } as const;
  return {
    id,
    name: id,
    // Nothing is known of it until its cell can be reached again.
    state: nova.awayHosts.has(host) ? 'busy' : states[status],
    stateText: nova.awayHosts.has(host) ? 'UNKNOWN' : status,
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
    rules: { isAutomatic: false, states: new Set(['running', 'stopped', 'failed', 'busy']) },
    list: (host, since, signal) =>
      ask(
        { ...read('list evacuations'), about: nameOf(host) },
        () => listed(nameOf(host), since.getTime() - WALL_START_MS),
        signal,
      ),
    start: (instanceId, { targetName }, signal) => {
      onEvacuate(instanceId, targetName);
      const question = write(`evacuate ${instanceId}`, nova.servers.get(instanceId)?.host);
      return ask(question, () => evacuate(nova, world, instanceId, targetName), signal);
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
    list: (_host, _since, signal) => ask(read('list moves'), () => [], signal),
    progress: (_move, signal) => ask(read('show a move'), () => undefined, signal),
    startLive: (_id, signal) =>
      ask(
        write('move a server'),
        () => {
          throw new ComputeError('refused', 'it does not run');
        },
        signal,
      ),
    startCold: (id, signal) => ask(write(`move ${id}`), () => coldMove(nova, world, id), signal),
    confirm: (_id, signal) => ask(write('confirm a move'), () => undefined, signal),
    abort: (_move, signal) => ask(write('abort a move'), () => undefined, signal),
  };
}

function aggregatesOf({ nova, onFacts }: NovaPortOptions, ask: Ask): HaCompute['aggregates'] {
  const known = () => [...new Set([...nova.services.values()].flatMap(({ aggregates }) => [...aggregates]))];
  return {
    membership: (host, signal) =>
      ask(
        {
          ...read('list aggregates'),
          heard: (effectAt) => onFacts('aggregates', nameOf(host), effectAt),
        },
        () => ({ known: known().map(aggregate), joined: new Set(nova.service(nameOf(host)).aggregates) }),
        signal,
      ),
    join: (host, { id }, signal) =>
      ask(write('join an aggregate'), () => void nova.service(nameOf(host)).aggregates.add(id), signal),
    leave: (host, { id }, signal) =>
      ask(write('leave an aggregate'), () => void nova.service(nameOf(host)).aggregates.delete(id), signal),
  };
}

function aggregate(id: string): ComputeAggregate {
  return { id, uuid: id, name: id, metadata: undefined };
}

function read(what: string): { readonly what: string; readonly kind: 'read' } {
  return { what, kind: 'read' };
}

function write(what: string, about?: string): { what: string; kind: 'write'; about: string | undefined } {
  return { what, kind: 'write', about };
}

/** The ids under which the compute system knows a host. */
export function identityOf(host: string): HostIdentity {
  return { hypervisorId: `hypervisor-${host}`, serviceId: `service-${host}` };
}

function nameOf({ serviceId }: HostIdentity): string {
  return serviceId.slice('service-'.length);
}

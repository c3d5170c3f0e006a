import type { Brake, BrakeSettings } from '@smalt/failure-detection';
import type { ClusterHost, EnginePorts, HostRecord, ServiceSwitches } from '@smalt/ha-service';
import { defaultRecoveryPolicy } from '@smalt/recovery-policy';

import type { Weakening } from './stage.ts';
import { withDetection } from './weakenings.ts';

/** The service without one of its brakes. */
export const brakeWeakenings: Readonly<Record<Brake, Weakening>> = {
  paused: withSwitches(({ isDryRun }) => ({ isPaused: false, isDryRun })),
  'dry-run': withSwitches(({ isPaused }) => ({ isPaused, isDryRun: false })),
  'warm-up': withBrakes({ warmUpMs: 0 }),
  blind: { ports: withoutSight },
  'mass-failure': withBrakes({ maximumMissing: 1_000, maximumMissingShare: 1 }),
  maintenance: { ports: withoutMaintenance },
  held: withRecords((record) => ({ ...record, heldBy: undefined })),
  'not-highly-available': withHosts((host) => ({ ...host, isHighlyAvailable: true })),
  'not-onboarded': withHosts((host) => ({ ...host, isOnboarded: true })),
  policy: { settings: (settings) => ({ ...settings, policy: defaultRecoveryPolicy }) },
  kdump: { ports: ({ sources: _unheard, ...ports }) => ports },
  'no-instances': { ports: withGhosts },
  'instances-unknown': { ports: withGuesses },
  'too-many-open': withBrakes({ maximumOpen: 1_000 }),
  'failure-domain': withBrakes({ maximumOpenPerDomain: 1_000 }),
  interval: withBrakes({ intervalMs: 0 }),
};

/** And one that is a part of another: what is switched off at the service's own API. */
export const alwaysSwitchedOn: Weakening = withRecords((record) => ({ ...record, isSwitchedOn: true }));

function withBrakes(brakes: Partial<BrakeSettings>): Weakening {
  return withDetection((detection) => ({ ...detection, brakes: { ...detection.brakes, ...brakes } }));
}

function withSwitches(change: (switches: ServiceSwitches) => ServiceSwitches): Weakening {
  return {
    ports: (ports) => ({
      ...ports,
      store: { ...ports.store, switches: async (signal) => change(await ports.store.switches(signal)) },
    }),
  };
}

function withRecords(change: (record: HostRecord) => HostRecord): Weakening {
  return {
    ports: (ports) => {
      const list: typeof ports.store.hosts.list = async (signal) => (await ports.store.hosts.list(signal)).map(change);
      return { ...ports, store: { ...ports.store, hosts: { ...ports.store.hosts, list } } };
    },
  };
}

function withHosts(change: (host: ClusterHost) => ClusterHost): Weakening {
  return {
    ports: (ports) => {
      const view: typeof ports.cluster.view = () => {
        const seen = ports.cluster.view();
        return { ...seen, hosts: seen.hosts.map(change) };
      };
      // What the object says now is not looked at either.
      const claim: typeof ports.cluster.claim = (host, signal) => ports.cluster.setMaintenance(host, 'ha', signal);
      return { ...ports, cluster: { ...ports.cluster, view, claim } };
    },
  };
}

/** It does not notice when the compute system is out of reach: what it last heard is as good as new. */
function withoutSight(ports: EnginePorts): EnginePorts {
  let last: Awaited<ReturnType<typeof ports.compute.hosts.list>> = [];
  const list: typeof ports.compute.hosts.list = async (signal) => {
    last = await ports.compute.hosts.list(signal).catch(() => last);
    return last;
  };
  return { ...ports, compute: { ...ports.compute, hosts: { ...ports.compute.hosts, list } } };
}

/** What a person has written about a host is not looked at. */
function withoutMaintenance(ports: EnginePorts): EnginePorts {
  const view: typeof ports.cluster.view = () => {
    const seen = ports.cluster.view();
    return { ...seen, hosts: seen.hosts.map((host) => ({ ...host, maintenance: '' })) };
  };
  const { cluster } = ports;
  return { ...ports, cluster: { ...cluster, view, setMaintenance: writeNothing, claim: writeNothing } };
}

async function writeNothing(): Promise<void> {}

/** A host that has nothing seems to have an instance. */
function withGhosts(ports: EnginePorts): EnginePorts {
  const { instances } = ports.compute;
  const list: typeof instances.list = async (host, signal) => {
    const found = await instances.list(host, signal);
    return found.length > 0 ? found : [ghostOn(host.serviceId)];
  };
  return { ...ports, compute: { ...ports.compute, instances: { ...instances, list } } };
}

/** What a host has is not waited for: it is guessed that it has an instance. */
function withGuesses(ports: EnginePorts): EnginePorts {
  const instances: typeof ports.compute.instances = {
    ...ports.compute.instances,
    list: (host) => Promise.resolve([ghostOn(host.serviceId)]),
  };
  return { ...ports, compute: { ...ports.compute, instances } };
}

function ghostOn(serviceId: string): Awaited<ReturnType<EnginePorts['compute']['instances']['list']>>[number] {
  return {
    id: `ghost-${serviceId}`,
    name: 'ghost',
    state: 'running',
    stateText: 'ACTIVE',
    guestState: 'running',
    isMeantToRun: true,
    hostName: undefined,
    hypervisorHostname: undefined,
    memoryMiB: 0,
    resources: {},
    requiredTraits: [],
    zone: undefined,
    obstacles: [],
    isLocked: false,
    metadata: {},
    flavorProperties: {},
    fault: undefined,
  };
}

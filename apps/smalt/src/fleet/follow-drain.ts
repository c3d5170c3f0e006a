import { evictionKind, hypervisorKind, type Eviction, type Hypervisor } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import { labelSelectorFrom } from '@smalt/kubernetes';
import {
  virtualMachineInstanceKind,
  WellKnownName,
  type MigrationUsage,
  type NodeUsage,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import { watchObject, watchObjects } from '../output/watch-objects.ts';
import { latestOf } from '../telemetry/latest-of.ts';
import { readTelemetry } from '../telemetry/read-telemetry.ts';
import { readNodeUsage } from '../telemetry/read-usage.ts';
import { keyOf, type DrainState } from './drain-view.ts';
import { evictionsOfHost } from './evictions-of-host.ts';

interface Seen {
  readonly hypervisor: Hypervisor | undefined;
  readonly evictions: ReadonlyMap<string, Eviction>;
  readonly here: ReadonlyMap<string, VirtualMachineInstance>;
  readonly usage: NodeUsage | undefined;
}

/** Watches a host that is being emptied, with all its machines, until the signal fires. Nothing is polled. */
export async function* followDrain(
  client: KubeClient,
  host: string,
  signal: AbortSignal,
): AsyncGenerator<DrainState, void> {
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal]);
  const known = new Map<string, VirtualMachineInstance>();
  const flows = {
    hypervisor: watchObject(client.resource(hypervisorKind), { name: host }, until),
    evictions: evictionsOf(client, until),
    here: instancesOn(client, host, until),
    usage: usageOf(client, host, until),
  };
  try {
    for await (const seen of latestOf<Seen>(flows)) {
      if (!('hypervisor' in seen) || seen.evictions === undefined || seen.here === undefined) continue;
      yield stateOf(host, { ...seen, evictions: seen.evictions, here: seen.here }, known);
    }
  } finally {
    enough.abort();
  }
}

function stateOf(
  host: string,
  { hypervisor, evictions, here, usage }: Partial<Seen> & Pick<Seen, 'evictions' | 'here'>,
  known: Map<string, VirtualMachineInstance>,
): DrainState {
  for (const [key, instance] of here) known.set(key, instance);
  const [eviction] = evictionsOfHost(evictions.values(), host);
  const moves = new Map<string, MigrationUsage>();
  for (const { namespace, name, migration } of usage?.machines ?? []) {
    if (migration !== undefined) moves.set(`${namespace}/${name}`, migration);
  }
  const instances = [...known.values()].map((instance) => here.get(keyOf(instance)) ?? gone(instance, host));
  return { host, hypervisor, eviction, instances, moves };
}

/** An instance that is not labelled with the host any more: where it is now, its last state here tells. */
function gone(instance: VirtualMachineInstance, host: string): VirtualMachineInstance {
  const { status } = instance;
  const nodeName = status?.nodeName === host ? (status.migrationState?.targetNode ?? '') : (status?.nodeName ?? '');
  return { ...instance, status: { ...status, nodeName } };
}

async function* evictionsOf(client: KubeClient, signal: AbortSignal): AsyncGenerator<Seen['evictions'], void> {
  for await (const { objects } of watchObjects(client.resource(evictionKind), {}, signal)) yield objects;
}

async function* instancesOn(client: KubeClient, host: string, signal: AbortSignal): AsyncGenerator<Seen['here'], void> {
  const labelSelector = labelSelectorFrom({ matchLabels: { [WellKnownName.nodeNameLabel]: host } });
  const instances = client.resource(virtualMachineInstanceKind);
  for await (const { objects } of watchObjects(instances, { labelSelector }, signal)) yield objects;
}

/** How far each move is. It only adorns: who may not see it, or sees it end, sees the rest. */
async function* usageOf(
  client: KubeClient,
  host: string,
  signal: AbortSignal,
): AsyncGenerator<NodeUsage | undefined, void> {
  try {
    for await (const message of readTelemetry(client, { path: ['nodes', host, 'usage'] }, signal)) {
      yield readNodeUsage(message);
    }
  } catch {
    yield undefined;
  }
}

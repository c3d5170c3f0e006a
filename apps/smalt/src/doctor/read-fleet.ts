import { evictionKind, hypervisorKind } from '@smalt/fleet-api';
import { isJsonObject, type JsonObject } from '@smalt/json';
import { isKubeError, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { messageOf } from '@smalt/service-runtime';
import { virtualMachineInstanceKind, virtualMachineInstanceMigrationKind, virtualMachineKind } from '@smalt/vm-api';

import { objectsIn, textIn } from '../ha/ha-views.ts';
import { listOpenIncidents } from '../ha/list-incidents.ts';
import type { FleetFacts, FleetNode, HighAvailabilityFacts } from './fleet-facts.ts';

const nodeKind: KindReference<FleetNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

/** Lists what a cluster consists of. Rejects when it cannot be reached at all. */
export async function readFleet(
  client: KubeClient,
  highAvailability: FleetFacts['highAvailability'],
  signal: AbortSignal,
): Promise<FleetFacts> {
  const hidden: { readonly what: string; readonly why: string }[] = [];
  const list = async <T extends KubernetesObject>(kind: KindReference<T>): Promise<readonly T[] | undefined> => {
    try {
      const found: T[] = [];
      for await (const { items } of client.resource(kind).pages({ signal })) found.push(...items);
      return found;
    } catch (error) {
      // A cluster need not have all our kinds.
      if (isKubeError(error, 'not-found')) return undefined;
      if (!isKubeError(error, 'forbidden', 'unauthorized')) throw error;
      hidden.push({ what: kind.plural, why: error.status?.message ?? error.message });
      return undefined;
    }
  };
  const [nodes, hypervisors, evictions, machines, instances, migrations] = await Promise.all([
    list(nodeKind),
    list(hypervisorKind),
    list(evictionKind),
    list(virtualMachineKind),
    list(virtualMachineInstanceKind),
    list(virtualMachineInstanceMigrationKind),
  ]);
  return { nodes, hypervisors, evictions, machines, instances, migrations, highAvailability, hidden };
}

/** Asks the HA service how it is. */
export async function readHighAvailability(
  service: KubeClient,
  signal: AbortSignal,
): Promise<HighAvailabilityFacts | { readonly trouble: string }> {
  const ask = async (path: string): Promise<JsonObject> => {
    const [place = '', query = ''] = path.split('?');
    const answer = await service.request({ method: 'GET', path: place, query: new URLSearchParams(query), signal });
    return isJsonObject(answer) ? answer : {};
  };
  try {
    const [status, sources, incidents] = await Promise.all([
      ask('/api/v1/status'),
      ask('/api/v1/sources'),
      listOpenIncidents(ask),
    ]);
    const isLeading = sources['isJudgedHere'] === true;
    const silent = objectsIn(sources, 'items').filter((source) => source['reachableSince'] === null);
    const waiting = incidents.filter(({ needsPerson }) => needsPerson === true);
    return {
      isPaused: status['isPaused'] === true,
      isDryRun: status['isDryRun'] === true,
      // Only the one that leads knows.
      blindSources: isLeading ? silent.map((source) => textIn(source, 'name', '?')) : [],
      waiting: waiting.map((incident) => ({
        id: textIn(incident, 'id', '?'),
        host: textIn(incident, 'host', '?'),
        message: isJsonObject(incident['wait']) ? textIn(incident['wait'], 'message', '') : '',
      })),
    };
  } catch (error) {
    return { trouble: messageOf(error) };
  }
}

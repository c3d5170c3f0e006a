import type { SimulatorProcess } from '@smalt/bed-openstack-simulator';
import { hypervisorKind } from '@smalt/fleet-api';
import { isJsonArray, isJsonObject, type JsonObject } from '@smalt/json';
import type { KubeClient } from '@smalt/kube';

const CREATED_AT_ONCE = 16;
const ONBOARDED = {
  type: 'Onboarding',
  status: 'False',
  reason: 'Succeeded',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

/** Makes hosts at the cloud and in the API, onboarded. */
export async function makeHosts(client: KubeClient, cloud: SimulatorProcess, names: readonly string[]): Promise<void> {
  await cloud.tell(
    'POST',
    '/hosts',
    names.map((name) => ({ name, zone: 'az1', vcpus: 64, memoryMiB: 262_144, diskGiB: 1_000 })),
  );
  const hosts = await cloud.tell('GET', '/hosts');
  const left = (isJsonArray(hosts) ? hosts : []).filter((host) => isJsonObject(host));
  const hypervisors = client.resource(hypervisorKind);
  const work = async (): Promise<void> => {
    for (let host = left.pop(); host !== undefined; host = left.pop()) {
      const name = textIn(host, 'name');
      const metadata = { labels: { 'topology.kubernetes.io/zone': 'az1', 'kubernetes.metal.cloud.sap/bb': name } };
      await hypervisors.apply(name, { metadata, spec: { lifecycleEnabled: false } }, { fieldManager: 'bench' });
      const ids = { hypervisorId: textIn(host, 'hypervisorId'), serviceId: textIn(host, 'serviceId') };
      await hypervisors.applyStatus(name, { ...ids, conditions: [ONBOARDED] }, { fieldManager: 'bench' });
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, work));
}

function textIn(host: JsonObject, name: string): string {
  const value = host[name];
  return typeof value === 'string' ? value : '';
}

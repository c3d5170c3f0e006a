import { hypervisorKind } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';

import type { OperatorWorld } from './operator-world.ts';

const nodeKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

const CREATED_AT_ONCE = 32;
const ZONE = 'zone-1';
const AGGREGATE = 'production';
const TRAIT = 'CUSTOM_BENCHMARK';
const TEST_AGGREGATE = 'tenant_filter_tests';

/** The names of so many nodes. */
export function nodeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `node${String(index + 1).padStart(5, '0')}`);
}

/** Registers hosts at the cloud, with the aggregates and the trait that nodes ask for. */
export async function registerHosts({ cloud }: OperatorWorld, names: readonly string[]): Promise<void> {
  await cloud.tell('POST', '/aggregates', [{ name: ZONE, zone: ZONE }, { name: AGGREGATE }, { name: TEST_AGGREGATE }]);
  await cloud.tell('POST', '/traits', { name: TRAIT });
  await cloud.tell(
    'POST',
    '/hosts',
    names.map((name) => ({ name, status: 'disabled' })),
  );
  await cloud.tell('DELETE', '/calls');
}

/** Makes the nodes, many at a time. Their tests are skipped. */
export async function createNodes(client: KubeClient, names: readonly string[], signal: AbortSignal): Promise<void> {
  const nodes = client.resource(nodeKind);
  await eachOf(names, async (name) => {
    await nodes.create(
      {
        metadata: {
          name,
          labels: {
            'kubernetes.io/hostname': name,
            'topology.kubernetes.io/zone': ZONE,
            'topology.kubernetes.io/region': 'region-1',
            'nova.openstack.cloud.sap/virt-driver': 'kvm',
            'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'skip-tests',
          },
          annotations: {
            'nova.openstack.cloud.sap/aggregates': AGGREGATE,
            'nova.openstack.cloud.sap/custom-traits': TRAIT,
          },
        },
      },
      { signal },
    );
  });
}

/** Makes Hypervisors that need no HA service, for an operator that cannot be told so. */
export async function createHypervisors(client: KubeClient, names: readonly string[]): Promise<void> {
  const hypervisors = client.resource(hypervisorKind);
  const spec = { highAvailability: false, installCertificate: true, evacuateOnReboot: false };
  await eachOf(names, async (name) => void (await hypervisors.apply(name, { spec })));
}

async function eachOf(names: readonly string[], act: (name: string) => Promise<void>): Promise<void> {
  const left = [...names].toReversed();
  const work = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await act(name);
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, work));
}

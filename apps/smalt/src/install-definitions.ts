import { readFleetDefinitions } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import type { Condition, KindReference, KubernetesObject } from '@smalt/kubernetes';
import { readOvsDefinitions } from '@smalt/ovs-api';
import { readVmDefinitions } from '@smalt/vm-api';

import { SmaltError } from './smalt-error.ts';

interface Definition extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const definitions: KindReference<Definition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  isNamespaced: false,
};

const TIMEOUT_MS = 30_000;

/** Teaches an API server our kinds, or their newest form, and waits until it serves them. Returns how many there are. */
export async function installDefinitions(client: KubeClient, signal: AbortSignal): Promise<number> {
  const ours = (await Promise.all([readFleetDefinitions(), readVmDefinitions(), readOvsDefinitions()])).flat();
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  await Promise.all(ours.map((definition) => install(client, definition, deadline)));
  return ours.length;
}

async function install(
  client: KubeClient,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  const resource = client.resource(definitions);
  const name = nameOf(fields);
  const applied = await resource.apply(name, fields, { force: true, signal });
  if (isEstablished(applied)) return;
  const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value: name }] };
  const { resourceVersion } = applied.metadata;
  for await (const events of resource.watch({ fieldSelector, resourceVersion, signal })) {
    if (events.some((event) => event.type === 'MODIFIED' && isEstablished(event.object))) return;
  }
  throw new SmaltError('start-failed', `the API server does not serve ${name}: see kubectl describe crd ${name}`);
}

function nameOf({ metadata }: Readonly<Record<string, unknown>>): string {
  const name = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
  if (typeof name !== 'string') throw new TypeError('a definition without a name');
  return name;
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status: state }) => type === 'Established' && state === 'True') ?? false;
}

import { hypervisorKind, readFleetDefinitions } from '@smalt/fleet-api';
import { isJsonObject } from '@smalt/json';
import { isNotFound, type KubeClient } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';

const definitionKind: KindReference = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  isNamespaced: false,
};
const LOOK_AGAIN_MS = 20;

/** Teaches an API server the kinds of the fleet and waits until it serves Hypervisors. */
export async function installKinds(client: KubeClient, signal: AbortSignal): Promise<void> {
  for (const definition of await readFleetDefinitions()) {
    const { metadata } = definition;
    if (!isJsonObject(metadata) || typeof metadata['name'] !== 'string') continue;
    await client.resource(definitionKind).apply(metadata['name'], definition, { force: true, signal });
  }
  while (!(await isServed(client, signal))) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}

async function isServed(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  try {
    await client.resource(hypervisorKind).list({ signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

import { setTimeout as delay } from 'node:timers/promises';

import { follow, isNotFound, type KubeClient } from '@smalt/kube';
import type { Condition, KindReference, KubernetesObject } from '@smalt/kubernetes';

import { BedKubernetesError } from './error.ts';

interface Definition extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

interface ResourceList {
  readonly resources?: readonly { readonly name: string }[];
}

const LOOK_MS = 50;

const definitionKind: KindReference<Definition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  isNamespaced: false,
};

/** Teaches an API server kinds, by their definitions, and resolves when it serves them. */
export async function installDefinitions(
  client: KubeClient,
  definitions: readonly Readonly<Record<string, unknown>>[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(definitions.map((definition) => install(client, definition, signal)));
  await Promise.all(definitions.map((definition) => untilDiscovered(client, definition, signal)));
}

/** What is established is told of by discovery a moment later, and that is where components look. */
async function untilDiscovered(
  client: KubeClient,
  { spec }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  const { group, names, versions }: DefinitionSpec = Object(spec);
  for (const { name } of versions.filter(({ served }) => served)) {
    const path = `/apis/${group}/${name}`;
    while (!(await isDiscovered(client, path, names.plural))) {
      signal.throwIfAborted();
      await delay(LOOK_MS, undefined, { signal });
    }
  }
}

async function isDiscovered(client: KubeClient, path: string, plural: string): Promise<boolean> {
  try {
    const { resources = [] }: ResourceList = Object(await client.request({ method: 'GET', path }));
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function install(
  client: KubeClient,
  definition: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  const resource = client.resource(definitionKind);
  const value = nameOf(definition);
  const applied = await resource.apply(value, definition, { force: true, signal });
  if (isEstablished(applied)) return;
  // A watch that begins with all objects would be more than a kube-apiserver on an older etcd can do.
  const { resourceVersion } = applied.metadata;
  const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value }] };
  for await (const events of follow(resource, { resourceVersion, fieldSelector, signal })) {
    if (events.some((event) => 'object' in event && isEstablished(event.object))) return;
  }
  throw new BedKubernetesError('not-ready', `the API server does not serve ${value}`);
}

function nameOf({ metadata }: Readonly<Record<string, unknown>>): string {
  const name = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
  if (typeof name !== 'string') throw new TypeError('a definition without a name');
  return name;
}

function isEstablished(object: object): boolean {
  const { status }: Partial<Definition> = object;
  return status?.conditions?.some(({ type, status: state }) => type === 'Established' && state === 'True') ?? false;
}

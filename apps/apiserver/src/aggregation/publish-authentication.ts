import type { JsonObject } from '@smalt/json';

import { requireResource, type ControllerDependencies } from '../controllers/controller-dependencies.ts';
import { isAlreadyExists } from '../errors/status-error.ts';

const NAME = 'extension-apiserver-authentication';
const NAMESPACE = 'kube-system';

/** Writes down, where other API servers look for it, by what they recognise us and our clients. */
export async function publishAuthentication(
  deps: Pick<ControllerDependencies, 'catalog' | 'registry' | 'contextFor'>,
  data: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const configMaps = requireResource(deps.catalog, '', 'v1', 'configmaps');
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAME, namespace: NAMESPACE }, data };
  const context = deps.contextFor(signal);
  try {
    await deps.registry.create(configMaps, NAMESPACE, object, context);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await deps.registry.update(configMaps, { namespace: NAMESPACE, name: NAME }, object, { context, subresource: '' });
  }
}

import type { Catalog } from '../catalog/catalog.ts';
import { isAlreadyExists } from '../errors/status-error.ts';
import type { Registry } from '../registry/registry.ts';
import { systemContext } from './system-context.ts';

const NAMES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes sure that the namespaces exist which every Kubernetes has. */
export async function ensureNamespaces(registry: Registry, catalog: Catalog, signal: AbortSignal): Promise<void> {
  const namespaces = catalog.find('', 'v1', 'namespaces');
  if (namespaces === undefined) throw new TypeError('namespaces are not served');
  await Promise.all(
    NAMES.map(async (name) => {
      try {
        const object = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } };
        await registry.create(namespaces, '', object, systemContext(signal));
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    }),
  );
}

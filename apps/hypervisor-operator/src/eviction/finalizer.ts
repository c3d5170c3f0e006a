import { evictionKind, type Eviction } from '@smalt/fleet-api';
import { isConflict, isNotFound, type KubeClient } from '@smalt/kube';

/** Keeps an eviction that was deleted until its moves have been stopped. */
const EVICTION_FINALIZER = 'kvm.cloud.sap/eviction';

/** Asks that an eviction be tried again; it is taken off when that has begun. */
export const RETRY_ANNOTATION = 'kvm.cloud.sap/retry';

export function hasFinalizer({ metadata }: Eviction): boolean {
  return metadata.finalizers?.includes(EVICTION_FINALIZER) === true;
}

export async function addFinalizer(client: KubeClient, eviction: Eviction, signal: AbortSignal): Promise<void> {
  await change(client, eviction, { finalizers: [...(eviction.metadata.finalizers ?? []), EVICTION_FINALIZER] }, signal);
}

/** Lets the eviction go. Returns false when somebody, or we, changed it meanwhile: then it must be tried again. */
export async function removeFinalizer(client: KubeClient, eviction: Eviction, signal: AbortSignal): Promise<boolean> {
  const finalizers = (eviction.metadata.finalizers ?? []).filter((name) => name !== EVICTION_FINALIZER);
  return await change(client, eviction, { finalizers }, signal);
}

export async function removeRetryAnnotation(
  client: KubeClient,
  eviction: Eviction,
  signal: AbortSignal,
): Promise<void> {
  const fields = { metadata: { annotations: { [RETRY_ANNOTATION]: null } } };
  try {
    await client.resource(evictionKind).patch(eviction.metadata.name, 'merge', fields, { fieldManager: OWNER, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

const OWNER = 'eviction';

async function change(
  client: KubeClient,
  { metadata: { name, resourceVersion } }: Eviction,
  metadata: { readonly finalizers: readonly string[] },
  signal: AbortSignal,
): Promise<boolean> {
  // The list is replaced as a whole, so it must be the one that was read.
  const fields = { metadata: { ...metadata, resourceVersion } };
  try {
    await client.resource(evictionKind).patch(name, 'merge', fields, { fieldManager: OWNER, signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isConflict(error)) return false;
    throw error;
  }
}

import type { AwaitedWrites } from '@smalt/controller-runtime';
import { isNotFound, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import type { Ignore } from '@smalt/service-runtime';

import { isSameStatus } from './is-same-status.ts';

interface StatusWriting<T extends KubernetesObject> {
  readonly client: Pick<KubeClient, 'resource'>;
  readonly written: Pick<AwaitedWrites<T>, 'note'>;
  readonly ignore: Ignore;
}

/** Writes the status of an object unless it has that already. An object that is gone needs none. */
export async function writeStatus<T extends KubernetesObject & { readonly status?: object | null }>(
  { client, written, ignore }: StatusWriting<T>,
  kind: KindReference<T>,
  { object, status }: { readonly object: T; readonly status: NonNullable<T['status']> },
  signal: AbortSignal,
): Promise<void> {
  if (isSameStatus(object.status, status)) return;
  try {
    written.note(await client.resource(kind).replaceStatus({ ...object, status }, { signal }));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'what is gone needs no status');
  }
}

import { splitKey, type ObjectKey } from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';

import type { SyncContext } from '../sync-context.ts';

/**
 * An instance as the API has it now; undefined when there is none. A cache may have been filled by a server that lags, so that it
 * shows where a guest was minutes ago.
 */
export async function readInstance(
  { client }: Pick<SyncContext, 'client'>,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<VirtualMachineInstance | undefined> {
  const { namespace, name } = splitKey(key);
  try {
    return await client.resource(virtualMachineInstanceKind).get(name, { namespace, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

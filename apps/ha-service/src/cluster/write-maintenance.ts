import { isConflict, isNotFound, type ResourceClient } from '@smalt/kube';

import { HaServiceError } from '../ha-service-error.ts';
import type { WatchedHypervisor } from './watched-hypervisor.ts';

export const FIELD_MANAGER = 'smalt-ha-service';
const ATTEMPTS = 5;

/** Words over which high availability may write its own: nobody works at the host, or it is lost anyway. */
const GIVES_WAY: ReadonlySet<string> = new Set(['', 'termination']);

export interface WantedMaintenance {
  readonly word: 'ha' | '';
  /** Why it must not be so, by the object as it is now. */
  readonly objectionTo?: (found: WatchedHypervisor) => string | undefined;
}

/**
 * Sets `spec.maintenance` to `ha`, or gives the field back. The object is read first and must not have changed since, so
 * the word of another is never written over.
 */
export async function writeMaintenance(
  client: ResourceClient<WatchedHypervisor>,
  host: string,
  wanted: WantedMaintenance,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeOnce(client, host, wanted, signal);
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function writeOnce(
  client: ResourceClient<WatchedHypervisor>,
  host: string,
  { word: wanted, objectionTo }: WantedMaintenance,
  signal: AbortSignal,
): Promise<void> {
  const found = await read(client, host, signal);
  if (found === undefined) {
    if (wanted === '') return;
    throw new HaServiceError('not-found', `there is no Hypervisor ${host}`);
  }
  const objection = objectionTo?.(found);
  if (objection !== undefined) throw new HaServiceError('conflict', objection);
  const word = found.spec?.maintenance ?? '';
  if (word === wanted) return;
  if (wanted === 'ha' ? !GIVES_WAY.has(word) : word !== 'ha') {
    throw new HaServiceError('conflict', `spec.maintenance of ${host} is ${word}, which stays`);
  }
  if (wanted === '' && !isOwned(found)) {
    throw new HaServiceError('conflict', `spec.maintenance of ${host} was set to ha by somebody else, so it stays`);
  }
  const { resourceVersion } = found.metadata;
  const spec = wanted === '' ? {} : { maintenance: wanted };
  const options = { fieldManager: FIELD_MANAGER, force: true, signal };
  const written = await client.apply(host, { metadata: { resourceVersion }, spec }, options);
  // Somebody else has said the same, so the word outlives ours; it is ours to take back all the same.
  if (wanted === '' && written.spec?.maintenance === 'ha') {
    const version = { resourceVersion: written.metadata.resourceVersion };
    await client.apply(host, { metadata: version, spec: { maintenance: '' } }, options);
  }
}

async function read(
  client: ResourceClient<WatchedHypervisor>,
  host: string,
  signal: AbortSignal,
): Promise<WatchedHypervisor | undefined> {
  try {
    return await client.get(host, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether the field is one that we have applied. */
function isOwned({ metadata }: WatchedHypervisor): boolean {
  return (metadata.managedFields ?? []).some(
    ({ manager, operation, fieldsV1 }) =>
      manager === FIELD_MANAGER && operation === 'Apply' && hasField(fieldsV1, ['f:spec', 'f:maintenance']),
  );
}

function hasField(fields: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  if (typeof fields !== 'object' || fields === null || !(name in fields)) return false;
  return hasField(Object.getOwnPropertyDescriptor(fields, name)?.value, rest);
}

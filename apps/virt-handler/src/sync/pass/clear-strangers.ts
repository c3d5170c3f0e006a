import type { ObjectKey } from '@smalt/controller-runtime';
import { WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';

import { isOn } from '../decide/decide-sync.ts';
import type { KnownDomain } from '../domains/known-domain.ts';
import { destroyGuest, takeBack, undefineDomain } from '../end/put-away-guest.ts';
import type { SyncContext } from '../sync-context.ts';
import { readInstance } from './read-instance.ts';

/**
 * Ends guests of the name `key` that no instance of this node stands for, and puts away what they left. An instance that
 * is not in the cache may be on its way here, and one that is may be the last of that name, so the API itself is asked before
 * anything is touched.
 */
export async function clearStrangers(
  context: SyncContext,
  key: ObjectKey,
  instance: VirtualMachineInstance | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { cache, directories } = context;
  // At the same moment as the look at the domains: one that was not listed yet may still use what would be put away.
  const areAllKnown = cache.isComplete;
  // It may be whose it likes, and run; once it answers there is another pass.
  if (cache.findSilent(key) !== undefined) return;
  const domains = cache.find(key).filter(({ owner }) => owner.uid !== instance?.metadata.uid);
  const recorded = [...directories.keys].filter(([uid, each]) => each === key && uid !== instance?.metadata.uid);
  if (domains.length === 0 && recorded.length === 0) return;
  const owner = await readInstance(context, key, signal);
  for (const domain of domains) {
    if (isStranger(domain.owner.uid, owner, context.nodeName)) await endStranger(context, domain, signal);
  }
  if (!areAllKnown) return;
  for (const [uid] of recorded) {
    if (isStranger(uid, owner, context.nodeName)) await clearRecord(context, uid, signal);
  }
}

/** Whether nobody stands for a guest here: its instance is gone, is another one, or is on another node for good. */
export function isStranger(
  uid: string | undefined,
  instance: VirtualMachineInstance | undefined,
  nodeName: string,
): boolean {
  if (instance === undefined || instance.metadata.uid !== uid) return true;
  const place = instance.metadata.labels?.[WellKnownName.nodeNameLabel];
  const { migrationState } = instance.status ?? {};
  // Who is not placed at all is not placed elsewhere.
  if (place === undefined || place === '' || place === nodeName) return false;
  const isConcerned = migrationState?.sourceNode === nodeName || migrationState?.targetNode === nodeName;
  return !isConcerned || migrationState.completed === true;
}

async function endStranger(context: SyncContext, known: KnownDomain, signal: AbortSignal): Promise<void> {
  const { key, owner, state } = known;
  context.logger.warn({ instance: key, uid: owner.uid }, 'a guest is ended that no instance of this node stands for');
  if (isOn(state)) await destroyGuest(context, known, signal);
  await undefineDomain(context, known, signal);
}

async function clearRecord(context: SyncContext, uid: string, signal: AbortSignal): Promise<void> {
  const { directories, memories } = context;
  const record = await directories.read(uid);
  if (record !== undefined) {
    const { instance } = record;
    await takeBack(context, { instance, directory: directories.pathOf(instance) }, signal);
  }
  await directories.remove(uid);
  memories.forget(uid);
}

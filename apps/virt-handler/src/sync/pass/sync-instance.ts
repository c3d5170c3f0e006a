import { done, keyOf, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import { messageOf } from '@smalt/service-runtime';
import { WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';

import { withMigrationState } from '../../migration/with-migration-state.ts';
import { decideSync, type SyncAction } from '../decide/decide-sync.ts';
import { troubledInstance } from '../status/troubled-instance.ts';
import type { SyncContext } from '../sync-context.ts';
import { destroyPass, endPass, shutDownPass, tidyPass } from './end-pass.ts';
import { gatherFacts } from './gather-facts.ts';
import type { Pass } from './pass.ts';
import { readInstance } from './read-instance.ts';
import { POD_AGAIN_MS, reportPass } from './report-pass.ts';
import { startPass } from './start-pass.ts';
import { writeInstance } from './write-instance.ts';

/** What has changed wakes its key as soon as it is seen; this makes sure. */
const OUTDATED_AGAIN_MS = 500;

/** Does what is next about an instance that is in the API, and writes what has changed. */
export async function syncInstance(
  context: SyncContext,
  before: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const { instance, isBusy } = await stepMigration(context, before, signal);
    if (isBusy) return (await writeInstance({ context, before, signal }, instance)) ?? done;
    const findings = await gatherFacts(context, instance, signal);
    return await act({ context, before, instance, findings, signal }, decideSync(findings.facts));
  } catch (error) {
    if (!signal.aborted) await tellTrouble({ context, before, signal }, messageOf(error));
    throw error;
  }
}

/** While a guest is on its way, its migration alone says what is done about it. */
async function stepMigration(
  { migrations, nodeName }: SyncContext,
  before: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<{ readonly instance: VirtualMachineInstance; readonly isBusy: boolean }> {
  if (before.status?.migrationState === undefined) return { instance: before, isBusy: false };
  let instance = before;
  for (const side of [migrations.source, migrations.target]) {
    const state = await side.step(instance, signal);
    if (state !== undefined) instance = withMigrationState(instance, state);
  }
  const isHere = instance.metadata.labels?.[WellKnownName.nodeNameLabel] === nodeName;
  return { instance, isBusy: !isHere || migrations.source.isBusy(instance) };
}

async function act(pass: Pass, action: SyncAction): Promise<Outcome> {
  switch (action.kind) {
    case 'none':
      return (await writeInstance(pass, pass.instance)) ?? done;
    case 'wait':
      return await waitPass(pass, action.problem);
    case 'await-pod':
      await tellTrouble(pass, action.problem);
      return requeueAfter(POD_AGAIN_MS);
    case 'start':
      return await startPass(pass);
    case 'report':
      return await reportPass(pass, action.problem);
    case 'shut-down':
      return await shutDownPass(pass, action.againInMs);
    case 'destroy':
      return await destroyPass(pass, action.why);
    case 'end':
      return (await isUpToDate(pass)) ? await endPass(pass, action.verdict) : requeueAfter(OUTDATED_AGAIN_MS);
    case 'tidy':
      return await tidyPass(pass);
  }
}

/**
 * Whether the instance is still as it was seen, where nothing of its guest is here. That alone does not show that it has ended: it may
 * have moved on, and what was seen may be older than that.
 */
async function isUpToDate({ context, before, findings, signal }: Pass): Promise<boolean> {
  if (findings.known !== undefined) return true;
  const now = await readInstance(context, keyOf(before), signal);
  const { uid, resourceVersion } = before.metadata;
  return now?.metadata.uid === uid && now?.metadata.resourceVersion === resourceVersion;
}

/** A libvirt that is started again is not worth a word; one that stays away is. Its return brings another pass. */
async function waitPass(pass: Pass, problem: string): Promise<Outcome> {
  const { cache } = pass.context;
  const { driver, facts } = pass.findings;
  const silent = facts.libvirt === 'silent' ? cache.findSilent(keyOf(pass.instance)) : undefined;
  const leftMs = silent === undefined ? 0 : cache.untilMissedMs(silent);
  if (leftMs > 0) return requeueAfter(leftMs);
  if (facts.libvirt === 'away' && driver !== undefined && !cache.isMissed(driver.session)) return done;
  await tellTrouble(pass, `${problem}; its guest is left as it is until then`);
  return done;
}

/** Says what is wrong in a condition and an event; that this fails too must not hide the trouble itself. */
async function tellTrouble(pass: Pick<Pass, 'context' | 'before' | 'signal'>, message: string): Promise<void> {
  const { context, before } = pass;
  void context.events.record(before, 'Warning', 'SyncFailed', message);
  try {
    await writeInstance(pass, troubledInstance(before, message, context.clock.now()));
  } catch (error) {
    context.ignore(error, 'the trouble itself is told by whoever caught it');
  }
}

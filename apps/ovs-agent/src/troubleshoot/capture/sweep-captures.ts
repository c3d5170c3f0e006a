import { hasEnded, printIdentity, type AgentIdentity } from '@smalt/controller-runtime';
import type { Logger } from '@smalt/service-runtime';

import type { SwitchDatabase } from '../../observe/switch-database.ts';
import { findRemains, ownersIn } from './capture-mark.ts';
import { removeMirrorOperations } from './mirror-operations.ts';

export interface SweepDeps {
  readonly database: SwitchDatabase;
  /** The captures that this agent runs. */
  readonly running: ReadonlySet<string>;
  /** This agent. */
  readonly agent: AgentIdentity;
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Removes mirrors of captures that nobody runs any more: at once those of this agent and of one that is surely dead,
 * and those of others once they have expired.
 */
export async function sweepCaptures(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { database, running, agent, now, logger } = deps;
  await database.synchronized(signal);
  const ended = await endedOf(ownersIn(database.cache), agent);
  const remains = findRemains(database.cache, { running, own: printIdentity(agent), ended, now: now() });
  if (remains.length === 0) return;
  await database.transact(removeMirrorOperations(remains), { signal });
  const count = remains.reduce((sum, { mirrors }) => sum + mirrors.length, 0);
  logger.warn({ mirrors: count, bridges: remains.length }, 'removed what captures of an earlier run have left');
}

async function endedOf(owners: readonly string[], own: AgentIdentity): Promise<ReadonlySet<string>> {
  const facts = await Promise.all(owners.map(async (owner) => ({ owner, isEnded: await hasEnded(owner, own) })));
  return new Set(facts.flatMap(({ owner, isEnded }) => (isEnded ? [owner] : [])));
}

import type { Logger } from '@smalt/service-runtime';

import type { SwitchDatabase } from '../../observe/switch-database.ts';
import { findRemains } from './capture-mark.ts';
import { removeMirrorOperations } from './mirror-operations.ts';

export interface SweepDeps {
  readonly database: SwitchDatabase;
  /** The captures that this agent runs. */
  readonly running: ReadonlySet<string>;
  readonly logger: Logger;
}

/** Removes mirrors of captures that nobody runs any more: of an agent that died, or while the database was away. */
export async function sweepCaptures({ database, running, logger }: SweepDeps, signal: AbortSignal): Promise<void> {
  await database.synchronized(signal);
  const remains = findRemains(database.cache, running);
  if (remains.length === 0) return;
  await database.transact(removeMirrorOperations(remains), { signal });
  const count = remains.reduce((sum, { mirrors }) => sum + mirrors.length, 0);
  logger.warn({ mirrors: count, bridges: remains.length }, 'removed what captures of an earlier run have left');
}

import type { Clock } from '@smalt/controller-runtime';
import type { Migration } from '@smalt/fleet-api';
import { isConflict, isNotFound, type ResourceClient } from '@smalt/kube';
import { expiresAtMs, isOfHost, labelValue, RecordLabel } from '@smalt/migration-record';
import type { Ignore, Logger } from '@smalt/service-runtime';

export interface SweepDeps {
  readonly migrations: ResourceClient<Migration>;
  readonly namespace: string;
  readonly host: string;
  readonly timeToLiveMs: number;
  readonly now: () => Date;
  readonly clock: Pick<Clock, 'wait'>;
  readonly ignore: Ignore;
  readonly logger: Logger;
}

const LONGEST_WAIT_MS = 3_600_000;
const SHORTEST_WAIT_MS = 1000;

/** Deletes the records of this host whose time is over, about once an hour, until the signal fires. */
export async function keepSweeping(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { timeToLiveMs, clock, ignore, logger } = deps;
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, timeToLiveMs / 4));
  while (!signal.aborted) {
    try {
      const deleted = await sweepRecords(deps, signal);
      if (deleted > 0) logger.info({ deleted }, 'old migrations were deleted');
    } catch (error) {
      ignore(error, 'old migrations cannot be deleted now; it is tried again');
    }
    await clock.wait(waitMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** Deletes the records of migrations to or from this host that ended long enough ago. Returns how many. */
export async function sweepRecords(
  deps: Omit<SweepDeps, 'clock' | 'ignore' | 'logger'>,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (const key of [RecordLabel.origin, RecordLabel.destination]) {
    for (const item of await findOver(deps, key, signal)) if (await remove(item, deps, signal)) deleted++;
  }
  return deleted;
}

async function findOver(
  deps: Pick<SweepDeps, 'migrations' | 'namespace' | 'host' | 'now' | 'timeToLiveMs'>,
  key: string,
  signal: AbortSignal,
): Promise<readonly Migration[]> {
  const { migrations, namespace, host } = deps;
  const labelSelector = { requirements: [{ key, operator: 'in' as const, values: [labelValue(host)] }] };
  const found: Migration[] = [];
  for await (const { items } of migrations.pages({ namespace, labelSelector, limit: 100, signal })) {
    found.push(...items.filter((item) => isOver(item, deps)));
  }
  return found;
}

function isOver(
  { metadata, status }: Migration,
  { host, now, timeToLiveMs }: Pick<SweepDeps, 'host' | 'now' | 'timeToLiveMs'>,
): boolean {
  // Whoever was about to tell something in it has told it elsewhere by now.
  if (status === undefined) return Date.parse(metadata.creationTimestamp ?? '') + timeToLiveMs < now().getTime();
  return isOfHost(status, host) && expiresAtMs(status, timeToLiveMs) < now().getTime();
}

/** False when the other host was faster, or the record tells of something new by now. */
async function remove(
  { metadata }: Migration,
  { migrations, namespace }: Pick<SweepDeps, 'migrations' | 'namespace'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { name, uid, resourceVersion } = metadata;
  try {
    await migrations.delete(name, { namespace, uid, resourceVersion, signal });
    return true;
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return false;
    throw error;
  }
}

import { PROVOKED } from './exceptions.ts';
import { grantedRights } from './granted-rights.ts';
import { PROVOKED_ON_KUBERNETES, RIGHTS_AWAY } from './kubernetes-exceptions.ts';
import { readChartRights } from './read-chart-rights.ts';
import { readRefusals } from './read-refusals.ts';
import { staleProvocations, unexplainedRefusals } from './unexplained-refusals.ts';

export interface JudgedRefusals {
  /** How many API servers left a log. */
  readonly servers: number;
  /** What accounts of the chart were refused and no exception explains. */
  readonly refusals: readonly string[];
  /** Exceptions that the run gave no cause for; a run of some of the files gives none for most. */
  readonly stale: readonly string[];
}

/** Reads what accounts were refused in a run on the real API server. */
export async function judgeRefusals(root: string, directory: string): Promise<JudgedRefusals> {
  const { servers, requests } = await readRefusals(directory);
  const rights = grantedRights(await readChartRights(root));
  const provoked = [...PROVOKED, ...PROVOKED_ON_KUBERNETES];
  return {
    servers,
    refusals: unexplainedRefusals(requests, { rights, provoked, rightsAway: RIGHTS_AWAY }),
    stale: staleProvocations(requests, PROVOKED_ON_KUBERNETES),
  };
}

import { PROVOKED } from './exceptions.ts';
import { grantedRights } from './granted-rights.ts';
import { PROVOKED_ON_KUBERNETES, STARTED_ANEW } from './kubernetes-exceptions.ts';
import { readChartRights } from './read-chart-rights.ts';
import { readRefusals } from './read-refusals.ts';
import { unexplainedRefusals } from './unexplained-refusals.ts';

/** What accounts of the chart were refused in a run on the real API server that no exception explains; and how many logs tell so. */
export async function judgeRefusals(
  root: string,
  directory: string,
): Promise<{ readonly servers: number; readonly refusals: readonly string[] }> {
  const { servers, requests } = await readRefusals(directory);
  const rights = grantedRights(await readChartRights(root));
  const provoked = [...PROVOKED, ...PROVOKED_ON_KUBERNETES];
  return { servers, refusals: unexplainedRefusals(requests, { rights, provoked, startedAnew: STARTED_ANEW }) };
}

import type { RequestOptions, Unixctl } from '../unixctl.ts';
import type { LacpReport } from './lacp-report.ts';
import { parseLacp } from './parse-lacp.ts';

/** Every port of ovs-vswitchd that speaks LACP. */
export async function showLacp(unixctl: Unixctl, options?: RequestOptions): Promise<readonly LacpReport[]> {
  return parseLacp(await unixctl.run('lacp/show', [], options));
}

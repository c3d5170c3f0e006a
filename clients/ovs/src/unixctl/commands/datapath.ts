import { checkName } from '../check-name.ts';
import type { RequestOptions, Unixctl } from '../unixctl.ts';
import type { DatapathCounters, DatapathReport, ForwardingEntry } from './datapath-report.ts';
import { parseDatapathCounters, parseDatapaths, parseForwardingTable } from './parse-datapath.ts';

/** What a bridge learned: `fdb/show`. */
export async function showForwardingTable(
  unixctl: Unixctl,
  bridge: string,
  options?: RequestOptions,
): Promise<readonly ForwardingEntry[]> {
  return parseForwardingTable(await unixctl.run('fdb/show', [checkName('bridge', bridge)], options));
}

/** Every datapath, its bridges and their ports. */
export async function showDatapaths(unixctl: Unixctl, options?: RequestOptions): Promise<readonly DatapathReport[]> {
  return parseDatapaths(await unixctl.run('dpif/show', [], options));
}

/** What became of packets in every datapath; `lost` are those that ovs-vswitchd was too slow for. */
export async function readDatapathCounters(
  unixctl: Unixctl,
  options?: RequestOptions,
): Promise<readonly DatapathCounters[]> {
  return parseDatapathCounters(await unixctl.run('dpctl/show', [], options));
}

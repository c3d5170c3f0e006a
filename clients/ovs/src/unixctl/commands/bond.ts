import { isRefused } from '../../ovs-error.ts';
import { checkName } from '../check-name.ts';
import type { RequestOptions, Unixctl } from '../unixctl.ts';
import type { BondReport } from './bond-report.ts';
import { parseBonds } from './parse-bonds.ts';

/** One bond of ovs-vswitchd, or undefined where it knows no such bond: also one of which a single member is left. */
export async function showBond(
  unixctl: Unixctl,
  port: string,
  options?: RequestOptions,
): Promise<BondReport | undefined> {
  try {
    const text = await unixctl.run('bond/show', [checkName('port', port)], options);
    return parseBonds(text).find((bond) => bond.name === port);
  } catch (error) {
    if (isRefused(error) && error instanceof Error && error.message.includes('no such bond')) return undefined;
    throw error;
  }
}

/** Every bond that ovs-vswitchd runs, in one question. */
export async function showBonds(unixctl: Unixctl, options?: RequestOptions): Promise<readonly BondReport[]> {
  return parseBonds(await unixctl.run('bond/show', [], options));
}

import type { RequestOptions, Unixctl } from '../unixctl.ts';
import { parseLacp } from './parse-lacp.ts';

/** What `lacp/show` says of one port. */
export interface LacpReport {
  readonly name: string;
  /** `active negotiated`, `passive configured`, … */
  readonly status: string;
  readonly members: readonly LacpMemberReport[];
}

export interface LacpMemberReport {
  readonly name: string;
  /** `current`: the partner speaks; `expired` and `defaulted`: it has fallen silent. */
  readonly state: 'current' | 'expired' | 'defaulted' | undefined;
  readonly isAttached: boolean;
  readonly partnerSystem: string | undefined;
}

/** Every port of ovs-vswitchd that speaks LACP. */
export async function showLacp(unixctl: Unixctl, options?: RequestOptions): Promise<readonly LacpReport[]> {
  return parseLacp(await unixctl.run('lacp/show', [], options));
}

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

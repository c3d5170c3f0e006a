/** What `bond/show` says of one bond. */
export interface BondReport {
  readonly name: string;
  readonly mode: string | undefined;
  readonly lacpStatus: 'negotiated' | 'configured' | 'off' | undefined;
  readonly activeMember: string | undefined;
  readonly members: readonly BondMemberReport[];
}

export interface BondMemberReport {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly isActive: boolean;
  readonly mayEnable: boolean | undefined;
}

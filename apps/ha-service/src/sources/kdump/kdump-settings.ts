/** Where it is listened for hosts that write a kernel dump, and what their word is good for. */
export interface KdumpSettings {
  /** Address and port, such as `:7410`; empty: nothing listens. */
  readonly listen: string;
  /** How long one message holds a host back. */
  readonly windowMs: number;
  /** How long all of them together may: anybody can send them, so they may only delay. */
  readonly maximumMs: number;
  /** Names of hosts by the addresses that they send from, before what their Hypervisor objects say. */
  readonly addresses: Readonly<Record<string, string>>;
}

export const defaultKdumpSettings: KdumpSettings = {
  listen: '',
  windowMs: 60_000,
  maximumMs: 600_000,
  addresses: {},
};

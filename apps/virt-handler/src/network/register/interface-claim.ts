import type { InterfaceIdentity } from '../interface-identity.ts';
import type { Ipv4Range } from '../nat/ipv4-range.ts';

/** What an interface asks for on this node. */
export interface InterfaceClaim {
  readonly identity: InterfaceIdentity;
  readonly uid: string;
  readonly plugin: string;
  readonly mac: string;
  /** Where its address comes from; undefined where somebody else gives addresses. */
  readonly range?: Ipv4Range | undefined;
  /** At which the world may call the guest, such as `tcp/80`; none if not given. */
  readonly ports?: readonly string[] | undefined;
  /** The address that a handler gave it before: a guest that is on its way here has one already. */
  readonly heldAddress?: string | undefined;
}

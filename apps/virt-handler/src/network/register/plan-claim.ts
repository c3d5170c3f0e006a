import { describeHolder, describeInterface, isSameInterface } from '../interface-identity.ts';
import { chooseAddress } from './choose-address.ts';
import type { InterfaceClaim } from './interface-claim.ts';
import { isInUse, type InterfaceRecord } from './interface-record.ts';

export type ClaimPlan =
  | { readonly kind: 'kept'; readonly record: InterfaceRecord }
  | {
      readonly kind: 'given';
      readonly record: InterfaceRecord;
      /** Records of others that are gone, and whose address or hardware address it now has. */
      readonly displaced: readonly InterfaceRecord[];
    }
  | {
      readonly kind: 'refused';
      readonly at: 'mac' | 'address';
      readonly why: string;
      /** Who has what was asked for. Not for the eyes of who asked. */
      readonly holder?: InterfaceRecord | undefined;
    };

/** Decides what an interface gets: what it had before where that is possible, and never what another one uses. */
export function planClaim(records: readonly InterfaceRecord[], claim: InterfaceClaim): ClaimPlan {
  const own = records.find((record) => isSameInterface(record, claim.identity));
  const others = records.filter((record) => record !== own);
  const holder = others.find((record) => isInUse(record) && record.mac === claim.mac);
  if (holder) return { kind: 'refused', at: 'mac', why: sameMac(claim, holder), holder };

  const choice = claim.range ? chooseAddress({ own, others, claim, range: claim.range }) : undefined;
  if (choice?.kind === 'refused') return { ...choice, at: 'address' };

  const { identity, uid, plugin, mac, ports = [] } = claim;
  const address = choice?.address;
  const given = { ...(address !== undefined && { address }), ...(ports.length > 0 && { ports }) };
  const record = { ...identity, uid, plugin, mac, ...given };
  if (own && isSameRecord(own, record)) return { kind: 'kept', record: own };
  const displaced = others.filter((other) => other.mac === mac || (address !== undefined && other.address === address));
  return { kind: 'given', record, displaced };
}

function isSameRecord(one: InterfaceRecord, other: InterfaceRecord): boolean {
  const isSame = one.uid === other.uid && one.plugin === other.plugin && one.mac === other.mac;
  const isOpenAlike = String(one.ports ?? []) === String(other.ports ?? []);
  return isSame && isOpenAlike && one.address === other.address && isInUse(one);
}

function sameMac({ identity, mac }: InterfaceClaim, holder: InterfaceRecord): string {
  return (
    `${describeInterface(identity)} has the MAC address ${mac}, which ${describeHolder(holder, identity)} ` +
    `uses on this node; give one of them another macAddress, or none`
  );
}

import { describeHolder, describeInterface, digestOf } from '../interface-identity.ts';
import { capacityOf, guestAddress, isGuestAddress, printRange, type Ipv4Range } from '../nat/ipv4-range.ts';
import { isInUse, type InterfaceRecord } from './interface-record.ts';
import type { InterfaceClaim } from './interface-claim.ts';

export type AddressChoice =
  | { readonly kind: 'chosen'; readonly address: string }
  | { readonly kind: 'refused'; readonly why: string; readonly holder?: InterfaceRecord };

interface AddressQuestion {
  /** What the interface has or had on this node. */
  readonly own: InterfaceRecord | undefined;
  readonly others: readonly InterfaceRecord[];
  readonly claim: InterfaceClaim;
  readonly range: Ipv4Range;
}

/**
 * Chooses the address of an interface: the one it uses, the one it brings from another node, the one it had, or one that
 * its names lead to, so that every node comes to the same where it can.
 */
export function chooseAddress(question: AddressQuestion): AddressChoice {
  const { own, others, claim, range } = question;
  const fits = (address: string | undefined): address is string =>
    address !== undefined && isGuestAddress(range, address);
  if (own && isInUse(own) && own.uid === claim.uid && fits(own.address)) {
    return { kind: 'chosen', address: own.address };
  }
  const holderOf = (address: string): InterfaceRecord | undefined =>
    others.find((record) => isInUse(record) && record.address === address);
  if (claim.heldAddress !== undefined) return takeOver(question, claim.heldAddress, holderOf);
  if (fits(own?.address) && !holderOf(own.address)) return { kind: 'chosen', address: own.address };
  return chooseNew(question);
}

/** A guest that runs cannot be given another address. */
function takeOver(
  { claim, range }: AddressQuestion,
  address: string,
  holderOf: (address: string) => InterfaceRecord | undefined,
): AddressChoice {
  const who = describeInterface(claim.identity);
  if (!isGuestAddress(range, address)) {
    const why = `${who} has the address ${address}, which is not in the range ${printRange(range)} of this node; give all nodes the same range`;
    return { kind: 'refused', why };
  }
  const holder = holderOf(address);
  if (!holder) return { kind: 'chosen', address };
  const why = `${who} has the address ${address}, which ${describeHolder(holder, claim.identity)} uses on this node; let it move to another node`;
  return { kind: 'refused', why, holder };
}

/** Free addresses first, then those whose last holder left longest ago. */
function chooseNew({ others, claim, range }: AddressQuestion): AddressChoice {
  const known = new Map(others.flatMap((record) => (record.address === undefined ? [] : [[record.address, record]])));
  const capacity = capacityOf(range);
  const start = digestOf('address', claim.identity).readUIntBE(0, 6) % capacity;
  for (let step = 0; step < capacity && step <= known.size; step += 1) {
    const address = guestAddress(range, (start + step) % capacity);
    if (!known.has(address)) return { kind: 'chosen', address };
  }
  const left = others.filter((record) => record.address !== undefined && isGuestAddress(range, record.address));
  const oldest = left
    .filter((record) => !isInUse(record))
    .toSorted((one, other) => (one.releasedAt ?? 0) - (other.releasedAt ?? 0))[0];
  if (oldest?.address !== undefined) return { kind: 'chosen', address: oldest.address };
  const why = `all ${capacity} addresses of ${printRange(range)} are in use on this node; widen the range (network.range) on all nodes`;
  return { kind: 'refused', why };
}

import { narrowPort, printPort } from '../port-number.ts';
import type { MatchField } from './match-field.ts';
import { prefixLength, printIpv4, printIpv6, printMac } from './print-address.ts';
import { CONNTRACK_FLAGS, printFlags, printMaskedFlags, TCP_FLAGS, TUNNEL_FLAGS } from './print-flags.ts';

/** The value of a field as ovs-ofctl writes it in an action, with the mask behind a slash if not all bits count. */
export function printValue({ field, value, mask }: MatchField): string {
  const all = (1n << BigInt(field.bytes * 8)) - 1n;
  if (mask === 0n) return 'ANY';
  const partial = mask === undefined || mask === all ? undefined : mask;
  switch (field.format) {
    case 'port':
      return partial === undefined ? printPort(narrowPort(Number(value))) : masked(String(value), printHex(partial));
    case 'decimal':
      return masked(String(value), partial === undefined ? undefined : printHex(partial));
    case 'hexadecimal':
    case 'packet-type':
      return masked(printHex(value), partial === undefined ? undefined : printHex(partial));
    case 'mac':
      return masked(printMac(value), partial === undefined ? undefined : printMac(partial));
    case 'ipv4':
      return printMaskedIpv4(value, partial ?? all);
    case 'ipv6':
      return printMaskedIpv6(value, partial ?? all);
    case 'fragment':
      return printFragment(value, partial ?? all);
    case 'conntrack-state':
      return flags(value, partial, CONNTRACK_FLAGS);
    case 'tcp-flags':
      return flags(value, partial === 0xfffn ? undefined : partial, TCP_FLAGS);
    case 'tunnel-flags':
      return flags(value, partial, TUNNEL_FLAGS);
  }
}

/** `0` for nothing, or hexadecimal. */
export function printHex(value: bigint): string {
  return value === 0n ? '0' : `0x${value.toString(16)}`;
}

/** `10.0.0.0/8`, or `/255.0.255.0` for a mask that is no prefix. */
export function printMaskedIpv4(value: bigint, mask: bigint): string {
  const prefix = prefixLength(mask, 32);
  if (prefix === 32) return printIpv4(value);
  return `${printIpv4(value)}/${prefix ?? printIpv4(mask)}`;
}

/** `fe80::/10`, or the mask as an address if it is no prefix. */
export function printMaskedIpv6(value: bigint, mask: bigint): string {
  const prefix = prefixLength(mask, 128);
  if (prefix === 128) return printIpv6(value);
  return `${printIpv6(value)}/${prefix ?? printIpv6(mask)}`;
}

/** Two bits: whether the packet is a fragment, and whether it is a later one. */
export function printFragment(value: bigint, mask: bigint): string {
  const names: ReadonlyMap<string, string> = new Map([
    ['3/0', 'no'],
    ['3/1', 'first'],
    ['3/3', 'later'],
    ['1/0', 'no'],
    ['1/1', 'yes'],
    ['2/0', 'not_later'],
    ['2/2', 'later'],
  ]);
  const counted = mask & 3n;
  return names.get(`${counted}/${value & counted}`) ?? '<error>';
}

function flags(value: bigint, mask: bigint | undefined, names: readonly string[]): string {
  return mask === undefined ? printFlags(value, names) : printMaskedFlags(value, mask, names);
}

function masked(value: string, mask: string | undefined): string {
  return mask === undefined ? value : `${value}/${mask}`;
}

import { VirtHandlerError } from '../../virt-handler-error.ts';

const WIDEST_PREFIX = 8;
const NARROWEST_PREFIX = 29;

/** Consecutive IPv4 addresses: the first stands for the network, the second is the gateway, the last is for all. */
export interface Ipv4Range {
  readonly first: number;
  readonly prefix: number;
}

/** Reads a range such as `10.222.0.0/18`. Throws `bad-setting`, which begins with the name of the setting. */
export function parseIpv4Range(text: string, setting: string): Ipv4Range {
  const [address = '', length = '', ...rest] = text.split('/');
  const first = parseIpv4(address);
  const prefix = /^\d{1,2}$/.test(length) ? Number(length) : Number.NaN;
  if (first === undefined || rest.length > 0 || !(prefix >= WIDEST_PREFIX && prefix <= NARROWEST_PREFIX)) {
    const rule = `an IPv4 network between /${WIDEST_PREFIX} and /${NARROWEST_PREFIX}, such as 10.222.0.0/18`;
    throw new VirtHandlerError('bad-setting', `${setting}: ${JSON.stringify(text)} is not ${rule}`, { field: setting });
  }
  const size = 2 ** (32 - prefix);
  if (first % size !== 0) {
    const meant = printIpv4(first - (first % size));
    const message = `${setting}: ${text} does not begin at a multiple of its size; did you mean ${meant}/${prefix}?`;
    throw new VirtHandlerError('bad-setting', message, { field: setting });
  }
  return { first, prefix };
}

/** An IPv4 address as a number; undefined for any other text. */
export function parseIpv4(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function printIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

export function gatewayOf(range: Ipv4Range): string {
  return printIpv4(range.first + 1);
}

export function maskOf({ prefix }: Ipv4Range): string {
  return printIpv4(2 ** 32 - 2 ** (32 - prefix));
}

export function printRange({ first, prefix }: Ipv4Range): string {
  return `${printIpv4(first)}/${prefix}`;
}

/** How many guests fit in. */
export function capacityOf({ prefix }: Ipv4Range): number {
  return 2 ** (32 - prefix) - 3;
}

/** The address of a guest by its number, from 0 to below the capacity. */
export function guestAddress(range: Ipv4Range, index: number): string {
  return printIpv4(range.first + 2 + index);
}

/** Whether a guest may have this address. */
export function isGuestAddress(range: Ipv4Range, text: string): boolean {
  const address = parseIpv4(text);
  if (address === undefined) return false;
  const index = address - range.first - 2;
  return index >= 0 && index < capacityOf(range);
}

/** Whether two ranges have an address in common. */
export function overlaps(one: Ipv4Range, other: Ipv4Range): boolean {
  const endOf = ({ first, prefix }: Ipv4Range): number => first + 2 ** (32 - prefix);
  return one.first < endOf(other) && other.first < endOf(one);
}

import { BOOL, INT, opaque, STRING, type OpaqueType } from './cel-type.ts';
import { CelFailure, CelOpaque, type CelOutcome } from './cel-value.ts';
import { instance, text } from './kinds.ts';
import { formatAddress, parseAddress, type Address } from './network-address.ts';
import { member, plain, type Library, type Overload } from './overload.ts';

export const IP_TYPE: OpaqueType = opaque('net.IP', false);
export const CIDR_TYPE: OpaqueType = opaque('net.CIDR', false);

class CelIp extends CelOpaque {
  readonly typeName: string = IP_TYPE.name;
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  override get size(): number {
    return this.address.bits / 8;
  }

  equals(other: CelOpaque): boolean {
    return (
      other instanceof CelIp && other.address.bits === this.address.bits && other.address.value === this.address.value
    );
  }

  override toJson(): string {
    return formatAddress(this.address);
  }
}

class CelCidr extends CelOpaque {
  readonly typeName: string = CIDR_TYPE.name;
  readonly address: Address;
  readonly length: number;

  constructor(address: Address, length: number) {
    super();
    this.address = address;
    this.length = length;
  }

  override get size(): number {
    return Math.ceil(this.length / 8);
  }

  equals(other: CelOpaque): boolean {
    return (
      other instanceof CelCidr &&
      other.length === this.length &&
      other.address.bits === this.address.bits &&
      other.address.value === this.address.value
    );
  }

  contains(address: Address): boolean {
    return address.bits === this.address.bits && this.prefixOf(address) === this.prefixOf(this.address);
  }

  prefixOf({ value, bits }: Address): bigint {
    return value >> BigInt(bits - this.length);
  }

  override toJson(): string {
    return `${formatAddress(this.address)}/${this.length}`;
  }
}

const ip = instance(IP_TYPE, CelIp);
const cidr = instance(CIDR_TYPE, CelCidr);

export const NETWORK_LIBRARY: Library = {
  ip: [
    plain('string_to_ip', [text], IP_TYPE, toIp),
    member('cidr_ip', [cidr], IP_TYPE, ({ address }) => new CelIp(address)),
  ],
  isIP: [plain('is_ip', [text], BOOL, (value) => toIp(value) instanceof CelIp)],
  'ip.isCanonical': [plain('ip_is_canonical', [text], BOOL, isCanonical)],
  family: [member('ip_family', [ip], INT, ({ address }) => (address.bits === 32 ? 4n : 6n))],
  isUnspecified: [ofIp('ip_is_unspecified', ({ value }) => value === 0n)],
  isLoopback: [ofIp('ip_is_loopback', isLoopback)],
  isLinkLocalMulticast: [ofIp('ip_is_link_local_multicast', isLinkLocalMulticast)],
  isLinkLocalUnicast: [ofIp('ip_is_link_local_unicast', isLinkLocalUnicast)],
  isGlobalUnicast: [ofIp('ip_is_global_unicast', isGlobalUnicast)],
  cidr: [plain('string_to_cidr', [text], CIDR_TYPE, toCidr)],
  isCIDR: [plain('is_cidr', [text], BOOL, (value) => toCidr(value) instanceof CelCidr)],
  containsIP: [
    member('cidr_contains_ip_string', [cidr, text], BOOL, (network, value) => {
      const address = toIp(value);
      return address instanceof CelIp ? network.contains(address.address) : address;
    }),
    member('cidr_contains_ip_ip', [cidr, ip], BOOL, (network, { address }) => network.contains(address)),
  ],
  containsCIDR: [
    member('cidr_contains_cidr_string', [cidr, text], BOOL, (network, value) => {
      const other = toCidr(value);
      return other instanceof CelCidr ? containsCidr(network, other) : other;
    }),
    member('cidr_contains_cidr', [cidr, cidr], BOOL, containsCidr),
  ],
  prefixLength: [member('cidr_prefix_length', [cidr], INT, ({ length }) => BigInt(length))],
  masked: [member('cidr_masked', [cidr], CIDR_TYPE, masked)],
  string: [
    plain('ip_to_string', [ip], STRING, ({ address }) => formatAddress(address)),
    plain('cidr_to_string', [cidr], STRING, (network) => network.toJson()),
  ],
};

function ofIp(id: string, test: (address: Address) => boolean): Overload {
  return member(id, [ip], BOOL, ({ address }) => test(address));
}

function toIp(value: string): CelIp | CelFailure {
  const quoted = JSON.stringify(value);
  const zone = value.includes(':') ? value.indexOf('%') : -1;
  const address =
    zone !== -1 && zone === value.length - 1
      ? 'zone must be a non-empty string'
      : parseAddress(zone === -1 ? value : value.slice(0, zone));
  if (typeof address === 'string') {
    return new CelFailure(
      `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): ${address}`,
    );
  }
  if (zone !== -1) return new CelFailure(`IP address ${quoted} with zone value is not allowed`);
  return isMapped(address) ? new CelFailure(`IPv4-mapped IPv6 address ${quoted} is not allowed`) : new CelIp(address);
}

function toCidr(value: string): CelCidr | CelFailure {
  const context = 'network address parse error during conversion from string: ';
  const parsed = parsePrefix(value);
  if (typeof parsed === 'string') {
    return new CelFailure(`${context}${context}netip.ParsePrefix(${JSON.stringify(value)}): ${parsed}`);
  }
  if (isMapped(parsed.address)) {
    return new CelFailure(`${context}IPv4-mapped IPv6 address ${JSON.stringify(value)} is not allowed`);
  }
  return parsed;
}

function parsePrefix(value: string): CelCidr | string {
  const slash = value.lastIndexOf('/');
  if (slash === -1) return "no '/'";
  const host = value.slice(0, slash);
  const address = parseAddress(host);
  if (typeof address === 'string') return `ParseAddr(${JSON.stringify(host)}): ${address}`;
  const length = value.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/.test(length)) return `bad bits after slash: ${JSON.stringify(length)}`;
  return Number(length) > address.bits ? 'prefix length out of range' : new CelCidr(address, Number(length));
}

function isCanonical(value: string): CelOutcome {
  const address = toIp(value);
  return address instanceof CelIp ? formatAddress(address.address) === value : address;
}

function containsCidr(network: CelCidr, other: CelCidr): boolean {
  return network.length <= other.length && network.contains(other.address);
}

function masked(network: CelCidr): CelCidr {
  const { bits } = network.address;
  const value = network.prefixOf(network.address) << BigInt(bits - network.length);
  return new CelCidr({ value, bits }, network.length);
}

function isMapped({ value, bits }: Address): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}

function isLoopback({ value, bits }: Address): boolean {
  return bits === 32 ? value >> 24n === 127n : value === 1n;
}

function isLinkLocalMulticast({ value, bits }: Address): boolean {
  return bits === 32 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

function isLinkLocalUnicast({ value, bits }: Address): boolean {
  return bits === 32 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

function isGlobalUnicast(address: Address): boolean {
  const { value, bits } = address;
  const isMulticast = bits === 32 ? value >> 28n === 0xen : value >> 120n === 0xffn;
  const isBroadcast = bits === 32 && value === 0xffffffffn;
  return value !== 0n && !isBroadcast && !isMulticast && !isLoopback(address) && !isLinkLocalUnicast(address);
}

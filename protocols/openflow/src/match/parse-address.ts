import { isIPv4, isIPv6 } from 'node:net';

export interface ParsedAddress {
  readonly value: bigint;
  /** Undefined: all bits count. */
  readonly mask: bigint | undefined;
}

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;
const PREFIX = /^\d{1,3}$/;

/** Reads `52:54:00:00:00:01`, with `/mask` behind it or not. Undefined: it is none. */
export function parseMac(text: string): ParsedAddress | undefined {
  return parseMasked(text, (part) => (MAC.test(part) ? BigInt(`0x${part.replaceAll(':', '')}`) : undefined));
}

/** Reads an IPv4 or IPv6 address, with `/24` or a mask behind it or not. Undefined: it is none. */
export function parseIp(text: string): ParsedAddress | undefined {
  const [address = '', mask, ...rest] = text.split('/');
  if (rest.length > 0) return undefined;
  const bits = isIPv4(address) ? 32 : 128;
  if (mask === undefined || !PREFIX.test(mask)) return parseMasked(text, parseAddress);
  const value = parseAddress(address);
  const length = Number(mask);
  if (value === undefined || length > bits) return undefined;
  const all = (1n << BigInt(bits)) - 1n;
  const prefix = all ^ ((1n << BigInt(bits - length)) - 1n);
  return { value: value & prefix, mask: length === bits ? undefined : prefix };
}

function parseMasked(text: string, parse: (part: string) => bigint | undefined): ParsedAddress | undefined {
  const [address = '', maskText, ...rest] = text.split('/');
  const value = parse(address);
  if (value === undefined || rest.length > 0) return undefined;
  if (maskText === undefined) return { value, mask: undefined };
  const mask = parse(maskText);
  return mask === undefined ? undefined : { value: value & mask, mask };
}

function parseAddress(text: string): bigint | undefined {
  if (isIPv4(text)) return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  return expand(text).reduce((value, word) => (value << 16n) | word, 0n);
}

/** The eight words of an address that isIPv6 has accepted. */
function expand(text: string): readonly bigint[] {
  const [head = '', tail] = text.split('::');
  const front = words(head);
  if (tail === undefined) return front;
  const back = words(tail);
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0n), ...back];
}

function words(text: string): readonly bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((word) => {
    if (!word.includes('.')) return [BigInt(`0x${word}`)];
    const value = word.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
    return [value >> 16n, value & 0xffffn];
  });
}

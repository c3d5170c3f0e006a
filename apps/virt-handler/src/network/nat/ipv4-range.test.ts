import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  capacityOf,
  gatewayOf,
  guestAddress,
  isGuestAddress,
  maskOf,
  overlaps,
  parseIpv4,
  parseIpv4Range,
  printIpv4,
} from './ipv4-range.ts';

describe('a range of addresses', () => {
  it('begins with the network and the gateway and ends with the address for all', () => {
    const range = parseIpv4Range('10.222.0.0/18', 'network.range');

    expect([gatewayOf(range), maskOf(range), capacityOf(range)]).toEqual(['10.222.0.1', '255.255.192.0', 16_381]);
    expect([guestAddress(range, 0), guestAddress(range, 16_380)]).toEqual(['10.222.0.2', '10.222.63.254']);
  });

  it.each([
    ['10.9.0.0', false],
    ['10.9.0.1', false],
    ['10.9.0.2', true],
    ['10.9.0.254', true],
    ['10.9.0.255', false],
    ['10.9.1.2', false],
    ['fd00::2', false],
    ['10.9.0.02', false],
  ])('lets a guest have %s: %s', (address, allowed) => {
    expect(isGuestAddress(parseIpv4Range('10.9.0.0/24', 'range'), address)).toBe(allowed);
  });

  it.each([
    ['10.0.0.0', 'is not an IPv4 network between /8 and /29'],
    ['10.0.0.0/7', 'is not an IPv4 network'],
    ['10.0.0.0/30', 'is not an IPv4 network'],
    ['10.0.0/24', 'is not an IPv4 network'],
    ['10.0.0.0/24/24', 'is not an IPv4 network'],
    ['fd00::/64', 'is not an IPv4 network'],
    ['10.0.64.0/16', 'did you mean 10.0.0.0/16?'],
  ])('cannot be %s', (text, why) => {
    expect(() => parseIpv4Range(text, 'network.range')).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.stringContaining(why) }),
    );
  });

  it.each([
    ['10.0.0.0/16', '10.0.64.0/18', true],
    ['10.0.64.0/18', '10.0.0.0/16', true],
    ['10.0.0.0/18', '10.0.64.0/18', false],
  ])('%s overlaps with %s: %s', (one, other, expected) => {
    expect(overlaps(parseIpv4Range(one, 'a'), parseIpv4Range(other, 'b'))).toBe(expected);
  });

  it('prints an address as it was read', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(printIpv4(parseIpv4(text) ?? -1)).toBe(text);
      }),
    );
  });
});

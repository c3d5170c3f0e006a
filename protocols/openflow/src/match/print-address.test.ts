import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseIp, parseMac } from './parse-address.ts';
import { prefixLength, printIpv4, printIpv6, printMac } from './print-address.ts';

describe('an address', () => {
  it.each([
    { value: 0n, text: '::' },
    { value: 1n, text: '::1' },
    { value: 0xfe80_0000_0000_0000_0000_0000_0000_0001n, text: 'fe80::1' },
    { value: 0x0001_0000_0000_0002_0000_0000_0000_0003n, text: '1:0:0:2::3' },
    { value: 0x0001_0002_0003_0004_0005_0006_0007_0000n, text: '1:2:3:4:5:6:7:0' },
    { value: 0xffff_0102_0304n, text: '::ffff:1.2.3.4' },
    { value: 0x0102_0304n, text: '::1.2.3.4' },
  ])('of IPv6 is written as $text', ({ value, text }) => {
    expect(printIpv6(value)).toBe(text);
  });

  it('of any kind is read as what was written', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 128n) - 1n), (value) => {
        expect(parseIp(printIpv6(value))?.value).toBe(value);
        expect(parseIp(printIpv4(value & 0xffff_ffffn))?.value).toBe(value & 0xffff_ffffn);
        expect(parseMac(printMac(value & 0xffff_ffff_ffffn))?.value).toBe(value & 0xffff_ffff_ffffn);
      }),
    );
  });

  it('knows how long a prefix is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 128 }), (length) => {
        const mask = ((1n << BigInt(length)) - 1n) << BigInt(128 - length);

        expect(prefixLength(mask, 128)).toBe(length);
      }),
    );
    expect(prefixLength(0xff00_ff00n, 32)).toBeUndefined();
  });
});

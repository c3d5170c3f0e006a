import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { dhcpOptionSet } from './dhcp-options.ts';

describe('dhcpOptionSet', () => {
  it.each([undefined, {}, { ntpServers: [] }])('has nothing to say of %j', (options) => {
    expect(dhcpOptionSet(options, 'field')).toBeUndefined();
  });

  it('has the same tag for the same, and another for anything else', () => {
    const one = dhcpOptionSet({ bootFileName: 'a' }, 'field');
    const same = dhcpOptionSet({ bootFileName: 'a' }, 'field');
    const other = dhcpOptionSet({ bootFileName: 'b' }, 'field');

    expect(same).toEqual(one);
    expect(other?.tag).not.toBe(one?.tag);
  });

  it.each([
    [{ bootFileName: 'a,tag:x' }, 'field.bootFileName: cannot be told to the guest: letters'],
    [{ tftpServerName: 'a\nserver=192.0.2.9' }, 'field.tftpServerName'],
    [{ ntpServers: ['192.0.2.1', 'fd00::1'] }, 'field.ntpServers: cannot be told to the guest: IPv4 addresses only'],
    [
      { privateOptions: [{ option: 240, value: 'x' }] },
      'field.privateOptions[0]: cannot be told to the guest: 2 to 255',
    ],
  ])('refuses %j', (options, message) => {
    expect(() => dhcpOptionSet(options, 'field')).toThrow(
      expect.objectContaining({ code: 'unsupported-network', message: expect.stringContaining(message) }),
    );
  });

  it('is one line for each option, whatever the guest is to be told', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (bootFileName, value) => {
        const lines = linesOf({ bootFileName, privateOptions: [{ option: 240, value }] });
        expect(
          lines.filter((line) => !/^tag:o[0-9a-f]{24},(option:bootfile-name,\S+|240,[0-9a-f:]+)$/.test(line)),
        ).toEqual([]);
        expect(lines.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

function linesOf(options: Parameters<typeof dhcpOptionSet>[0]): readonly string[] {
  try {
    return (dhcpOptionSet(options, 'field')?.text ?? '').split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

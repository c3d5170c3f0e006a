import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { dhcpHostLine, dnsmasqConfig } from './dnsmasq-config.ts';
import { parseIpv4Range } from './ipv4-range.ts';

describe('what dnsmasq is told', () => {
  it('keeps to the bridge and to the guests that it knows', () => {
    const text = dnsmasqConfig({
      bridge: 'smalt0',
      range: parseIpv4Range('10.222.0.0/18', 'range'),
      hostsDirectory: '/state/guests',
      optionsDirectory: '/state/options',
      pidFile: '/state/pid',
      nameServers: [],
      user: 'dnsmasq',
      program: 'one of these days',
    });

    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        '# one of these days',
        'interface=smalt0',
        'bind-interfaces',
        'dhcp-range=10.222.0.0,static,255.255.192.0,24h',
        'dhcp-hostsdir=/state/guests',
        'dhcp-ignore-names',
        'user=dnsmasq',
      ]),
    );
    expect(text).not.toContain('no-resolv');
  });

  it.each([
    ['web', ',web'],
    ['web.shop.example.org', ',web'],
    ['ignore', ''],
    ['infinite', ''],
    ['12h', ''],
    ['7', ''],
    ['7x', ',7x'],
    ['-web', ''],
    ['', ''],
    ['Web', ''],
  ])('calls a guest named %j %j', (name, expected) => {
    expect(line(name)).toBe(`02:00:00:00:00:01,10.0.0.2${expected}\n`);
  });

  it('is one line of at most three words whatever a guest is named', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(line(name)).toMatch(/^02:00:00:00:00:01,10\.0\.0\.2(,[a-z0-9-]{1,63})?\n$/);
      }),
    );
  });
});

function line(name: string): string {
  return dhcpHostLine({ mac: '02:00:00:00:00:01', address: '10.0.0.2', name });
}

import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { TrustedProxies } from './trusted-proxies.ts';

describe('TrustedProxies', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

  it.each([
    { from: '203.0.113.9', told: undefined, address: '203.0.113.9', why: 'there is no proxy' },
    { from: '203.0.113.9', told: '198.51.100.1', address: '203.0.113.9', why: 'who is no proxy says so' },
    { from: '10.1.2.3', told: '198.51.100.1', address: '198.51.100.1', why: 'a proxy says so' },
    { from: '::ffff:10.1.2.3', told: '198.51.100.1', address: '198.51.100.1', why: 'a proxy of both versions says so' },
    { from: 'fd00::1', told: '2001:db8::1', address: '2001:db8::1', why: 'a proxy of version 6 says so' },
    { from: '10.1.2.3', told: '198.51.100.1, 192.0.2.7', address: '198.51.100.1', why: 'two proxies stand in a row' },
    { from: '10.1.2.3', told: '1.2.3.4, 198.51.100.1', address: '198.51.100.1', why: 'who asks has lied before' },
    { from: '10.1.2.3', told: 'unknown', address: '10.1.2.3', why: 'a proxy says nothing of use' },
    { from: '10.1.2.3', told: undefined, address: '10.1.2.3', why: 'a proxy asks for itself' },
  ])('takes $address where $why', ({ from, told, address }) => {
    expect(proxies.addressOf(request(from, told))).toBe(address);
  });

  it('believes nobody unless it is told to', () => {
    expect(new TrustedProxies([]).addressOf(request('127.0.0.1', '198.51.100.1'))).toBe('127.0.0.1');
  });

  it.each(['proxy.example', '10.0.0.0/33', 'fd00::/129', '10.0.0/8', ''])('refuses %j as a network', (network) => {
    expect(() => new TrustedProxies([network])).toThrow(
      expect.objectContaining({
        code: 'bad-setting',
        message: expect.stringMatching(/^trustedProxies: .* is no network/),
      }),
    );
  });
});

function request(remoteAddress: string, told: string | undefined): Pick<IncomingMessage, 'socket' | 'headers'> {
  const headers = told === undefined ? {} : { 'x-forwarded-for': told };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a socket is looked at
  return { socket: { remoteAddress } as IncomingMessage['socket'], headers };
}

import { describe, expect, it } from 'vitest';

import { chooseGuestAddress } from './choose-guest-address.ts';

describe('chooseGuestAddress', () => {
  it.each([
    ['10.222.0.7', '10.222.0.7'],
    ['10.222.0.7/18', '10.222.0.7'],
    ['fd00::7', 'fd00::7'],
  ])('takes %s', (ipAddress, address) => {
    expect(chooseGuestAddress({ status: { interfaces: [{ ipAddress }] } }, ['10.222.0.1'])).toBe(address);
  });

  it('takes the first of several when none is named alone', () => {
    const status = { interfaces: [{ ipAddresses: ['10.0.0.1', '10.0.0.2'] }, { ipAddress: '10.0.0.3' }] };

    expect(chooseGuestAddress({ status }, [])).toBe('10.0.0.1');
  });

  it.each([
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    'fe80::1',
    'ff02::1',
    '192.0.2.1',
    '2001:db8::1',
  ])('does not believe a guest that says it is %s', (ipAddress) => {
    const act = (): string =>
      chooseGuestAddress({ status: { interfaces: [{ ipAddress }] } }, ['192.0.2.1', '2001:db8::1']);

    expect(act).toThrow(`the guest says that its address is ${ipAddress}, which cannot be`);
  });

  it.each([[{}], [{ interfaces: [] }], [{ interfaces: [{ ipAddress: 'localhost' }] }]])(
    'finds nothing in %j',
    (status) => {
      expect(() => chooseGuestAddress({ status }, [])).toThrow('the guest has no address yet');
    },
  );
});

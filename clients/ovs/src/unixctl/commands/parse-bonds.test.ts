import { describe, expect, it } from 'vitest';

import { parseBonds } from './parse-bonds.ts';

describe('parseBonds', () => {
  it('reads every bond with its members', () => {
    const bonds = parseBonds(RECORDED);

    expect(bonds).toEqual([
      {
        name: 'lag0',
        mode: 'balance-tcp',
        lacpStatus: 'negotiated',
        activeMember: 'swp1',
        members: [
          { name: 'swp1', isEnabled: true, isActive: true, mayEnable: true },
          { name: 'swp2', isEnabled: true, isActive: false, mayEnable: true },
        ],
      },
      {
        name: 'bond0',
        mode: 'active-backup',
        lacpStatus: 'configured',
        activeMember: undefined,
        members: [
          { name: 'eno1', isEnabled: false, isActive: false, mayEnable: false },
          { name: 'eno2', isEnabled: false, isActive: false, mayEnable: false },
        ],
      },
    ]);
  });

  it.each([
    { how: 'as slaves, before 2.15', text: RECORDED.replaceAll('member', 'slave') },
    { how: 'with lines that end as on Windows', text: RECORDED.replaceAll('\n', '\r\n') },
  ])('reads the same where members are written $how', ({ text }) => {
    expect(parseBonds(text)).toEqual(parseBonds(RECORDED));
  });

  it('leaves out a status that it does not know', () => {
    const [bond] = parseBonds(RECORDED.replaceAll('negotiated', 'thinking'));

    expect(bond?.lacpStatus).toBeUndefined();
  });

  it('reads nothing as no bonds', () => {
    expect(parseBonds('')).toEqual([]);
  });
});

/** Of Open vSwitch 3.1.0. */
const RECORDED = `---- lag0 ----
bond_mode: balance-tcp
bond may use recirculation: yes, Recirc-ID : 2
bond-hash-basis: 0
lb_output action: disabled, bond-id: -1
updelay: 0 ms
downdelay: 0 ms
next rebalance: 9844 ms
lacp_status: negotiated
lacp_fallback_ab: false
active-backup primary: <none>
active member mac: aa:55:aa:55:00:14(swp1)

member swp1: enabled
  active member
  may_enable: true

member swp2: enabled
  may_enable: true

---- bond0 ----
bond_mode: active-backup
bond may use recirculation: no, Recirc-ID : -1
bond-hash-basis: 0
lb_output action: disabled, bond-id: -1
updelay: 0 ms
downdelay: 0 ms
lacp_status: configured
lacp_fallback_ab: false
active-backup primary: <none>
active member mac: 00:00:00:00:00:00(none)

member eno1: disabled
  may_enable: false

member eno2: disabled
  may_enable: false

`;

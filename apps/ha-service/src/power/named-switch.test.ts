import { describe, expect, it } from 'vitest';

import { isDisputedBy, switchOf, type NamedSwitch } from './named-switch.ts';
import type { HostLevel } from './host-level.ts';

const ACCOUNT = { user: 'fencer', passwordFile: '/etc/password' };

describe('a power switch', () => {
  it.each([
    { what: 'the same address', one: redfish('https://bmc.example'), other: redfish('https://bmc.example') },
    {
      what: 'another way to write a name',
      one: redfish('https://bmc.example'),
      other: redfish('https://BMC.example.:443/'),
    },
    { what: 'another way to write an address', one: redfish('https://[2001:db8::1]'), other: ipmi('2001:DB8:0::1') },
    { what: 'another protocol', one: redfish('https://192.0.2.7'), other: ipmi('192.0.2.7') },
    {
      what: 'a controller of which only one says which system',
      one: redfish('https://chassis.example'),
      other: redfish('https://chassis.example', { systemUuid: 'aaaaaaaa-0000-0000-0000-000000000000' }),
    },
    {
      what: 'a controller of which only one says which UUID the system has',
      one: redfish('https://chassis.example', { systemPath: '/redfish/v1/Systems/1' }),
      other: redfish('https://chassis.example', { systemUuid: 'aaaaaaaa-0000-0000-0000-000000000000' }),
    },
    {
      what: 'another protocol that does not say which system, if a path alone says it',
      one: redfish('https://chassis.example', { systemPath: '/redfish/v1/Systems/1' }),
      other: ipmi('chassis.example'),
    },
    {
      what: 'another way to write a system',
      one: redfish('https://chassis.example', { systemPath: '/redfish/v1/Systems/1' }),
      other: redfish('https://chassis.example', { systemPath: '/redfish/v1/Systems/1/' }),
    },
    {
      what: 'the same UUID',
      one: redfish('https://chassis.example', { systemUuid: 'AAAAAAAA-0000-0000-0000-000000000000' }),
      other: redfish('https://chassis.example', { systemUuid: 'aaaaaaaa-0000-0000-0000-000000000000' }),
    },
    { what: 'the same outlet', one: command('outlet-1'), other: command('outlet-1') },
    { what: 'the same Server', one: ironcore('server-1'), other: ironcore('server-1') },
  ])('is the same by $what', ({ one, other }) => {
    expect(isDisputedBy(one, other)).toBe(true);
    expect(isDisputedBy(other, one)).toBe(true);
  });

  it.each([
    { what: 'address', one: redfish('https://192.0.2.7'), other: redfish('https://192.0.2.8') },
    { what: 'port', one: redfish('https://127.0.0.1:8001'), other: redfish('https://127.0.0.1:8002') },
    {
      what: 'system of a chassis',
      one: redfish('https://chassis.example', { systemPath: '/redfish/v1/Systems/1' }),
      other: redfish('https://chassis.example', { systemPath: '/redfish/v1/Systems/2' }),
    },
    { what: 'outlet', one: command('outlet-1'), other: command('outlet-2') },
    { what: 'strip', one: command('outlet-1', { PDU: 'a' }), other: command('outlet-1', { PDU: 'b' }) },
    { what: 'Server', one: ironcore('server-1'), other: ironcore('server-2') },
  ])('is another one by another $what', ({ one, other }) => {
    expect(isDisputedBy(one, other)).toBe(false);
  });

  it('that names its system by its UUID is no matter of one of another protocol, but may be what that one goes to', () => {
    const one = redfish('https://chassis.example', { systemUuid: 'aaaaaaaa-0000-0000-0000-000000000000' });

    expect(isDisputedBy(one, ipmi('chassis.example'))).toBe(false);
    expect(isDisputedBy(ipmi('chassis.example'), one)).toBe(true);
  });

  it('is compared even if its address is none', () => {
    expect(isDisputedBy(redfish('https://%'), redfish('https://%'))).toBe(true);
  });
});

function redfish(url: string, more: Partial<Extract<HostLevel, { driver: 'redfish' }>> = {}): NamedSwitch {
  return switchOf({ driver: 'redfish', name: 'bmc', ...ACCOUNT, url, ...more });
}

function ipmi(address: string): NamedSwitch {
  return switchOf({ driver: 'ipmi', name: 'ipmi', ...ACCOUNT, address });
}

function command(outlet: string, environment: Readonly<Record<string, string>> = {}): NamedSwitch {
  return switchOf({ driver: 'command', name: 'pdu', command: ['/opt/pdu', outlet], environment });
}

function ironcore(server: string): NamedSwitch {
  return switchOf({ driver: 'ironcore', name: 'metal', server, namespace: 'metal' });
}

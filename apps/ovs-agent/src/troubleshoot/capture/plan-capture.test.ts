import type { InterfaceFacts, PortFacts, SwitchConfiguration } from '@smalt/switch-health';
import { describe, expect, it } from 'vitest';

import { planCapture } from './plan-capture.ts';

const SWITCH: Pick<SwitchConfiguration, 'bridges'> = {
  bridges: [
    bridge('br-int', [
      port('br-int', [device('br-int', { type: 'internal', ifindex: 3n })]),
      port('tap1', [device('tap1', { ifindex: 4n })]),
      port('vhu1', [device('vhu1', { type: 'dpdkvhostuserclient' })]),
      port('tun1', [device('tun1', { type: 'geneve' })]),
      port('to-ex', [device('to-ex', { type: 'patch' })]),
      port('gone', [device('gone', { ofport: -1n, error: 'could not open network device gone (No such device)' })]),
      port('faked', [device('faked', { ifindex: 0n })]),
      port('any', [device('any', { ifindex: 9n })]),
      port('7', [device('7', { ifindex: 10n })]),
      port('bond0', [device('eno1', { ifindex: 5n }), device('eno2', { ifindex: 6n })]),
    ]),
  ],
};

describe('planCapture', () => {
  it.each([
    ['tap1', { kind: 'device', device: 'tap1' }],
    ['br-int', { kind: 'device', device: 'br-int' }],
    ['eno2', { kind: 'device', device: 'eno2' }],
    ['bond0', { kind: 'mirror', bridge: 'br-int', port: 'bond0' }],
    ['vhu1', { kind: 'mirror', bridge: 'br-int', port: 'vhu1' }],
    ['tun1', { kind: 'mirror', bridge: 'br-int', port: 'tun1' }],
    ['faked', { kind: 'mirror', bridge: 'br-int', port: 'faked' }],
    // tcpdump would take these for all devices, and for the seventh of them.
    ['any', { kind: 'mirror', bridge: 'br-int', port: 'any' }],
    ['7', { kind: 'mirror', bridge: 'br-int', port: '7' }],
  ])('of the port %s', (name, plan) => {
    expect(planCapture({ kind: 'port', name }, SWITCH)).toEqual(plan);
  });

  it.each([
    ['to-ex', 'leads to another bridge'],
    ['gone', '"gone" is not attached to the switch: could not open network device'],
    ['none', 'no bridge here has a port or interface "none"'],
  ])('refuses the port %s', (name, why) => {
    expect(planCapture({ kind: 'port', name }, SWITCH)).toMatchObject({
      kind: 'refused',
      field: 'port',
      why: expect.stringContaining(why),
    });
  });

  it('copies the packets of all ports of a bridge, and of no bridge that is not there', () => {
    const plans = ['br-int', 'br-none'].map((name) => planCapture({ kind: 'bridge', name }, SWITCH));

    expect(plans).toEqual([
      { kind: 'mirror', bridge: 'br-int', port: undefined },
      { kind: 'refused', field: 'bridge', why: 'there is no bridge "br-none" here; there are: br-int' },
    ]);
  });
});

function bridge(name: string, ports: readonly PortFacts[]): SwitchConfiguration['bridges'][number] {
  const rest = { datapathType: 'netdev', datapathId: '1', failMode: undefined, externalIds: new Map() };
  return { name, ...rest, controllers: [], mirrors: [], ports };
}

function port(name: string, interfaces: readonly InterfaceFacts[]): PortFacts {
  const rest = { bondMode: undefined, lacp: undefined, bondActiveMember: undefined, externalIds: new Map() };
  return { name, ...rest, interfaces };
}

function device(name: string, changes: Partial<InterfaceFacts>): InterfaceFacts {
  const maps = { externalIds: new Map(), options: new Map(), status: new Map(), statistics: new Map() };
  const states = { adminState: 'up', linkState: 'up', linkSpeed: undefined, lacpCurrent: undefined, error: undefined };
  return { name, type: '', ofport: 1n, ifindex: undefined, ...states, ...maps, ...changes };
}

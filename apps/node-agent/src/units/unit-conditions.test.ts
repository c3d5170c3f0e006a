import type { UnitState } from '@smalt/systemd';
import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { unitConditions, unitsToAsk } from './unit-conditions.ts';

const UNITS = ['libvirtd.service', 'openvswitch-switch.service', 'virtqemud.service', 'virtchd.service'];

describe('unitConditions', () => {
  it.each([
    ['active', 'loaded', 'True', 'Running'],
    ['reloading', 'loaded', 'True', 'Reloading'],
    ['refreshing', 'loaded', 'True', 'Refreshing'],
    ['inactive', 'loaded', 'False', 'Stopped'],
    ['failed', 'loaded', 'False', 'Failed'],
    ['activating', 'loaded', 'False', 'Starting'],
    ['deactivating', 'loaded', 'False', 'Stopping'],
    ['maintenance', 'loaded', 'False', 'Maintenance'],
    ['inactive', 'not-found', 'False', 'NotFound'],
    ['inactive', 'masked', 'False', 'Masked'],
    ['inactive', 'bad-setting', 'False', 'BadSetting'],
    ['inactive', 'error', 'False', 'Error'],
    ['active', 'masked', 'True', 'Running'],
    ['failed', 'not-found', 'False', 'Failed'],
    ['', '', 'False', 'Unknown'],
    ['42', 'loaded', 'False', 'Unknown'],
  ])('says of %s, %s: %s, %s', (activeState, loadState, status, reason) => {
    const conditions = unitConditions([], [unit('libvirtd.service', activeState, loadState)]);

    const message = `libvirtd.service: ${activeState}, ${loadState}`;
    expect(conditions).toEqual([{ type: 'libvirtd.service', status, reason, message }]);
  });

  it('leaves units out that do not exist, except libvirtd.service', () => {
    const states = UNITS.map((name) => unit(name, 'inactive', 'not-found'));

    expect(unitConditions(UNITS, states).map(({ type }) => type)).toEqual(['libvirtd.service']);
    expect(unitConditions(UNITS, []).map(({ type, reason }) => [type, reason])).toEqual([
      ['libvirtd.service', 'NotFound'],
    ]);
  });

  it.each(['virtqemud.service', 'virtchd.service', 'virtqemud.socket', 'virtchd.socket'])(
    'does not count a libvirtd that is off as a failure while %s is active',
    (name) => {
      const states = [unit('libvirtd.service', 'inactive', 'not-found'), unit(name, 'active')];

      expect(unitConditions([], states)).toEqual([
        {
          type: 'libvirtd.service',
          status: 'True',
          reason: 'ReplacedByModularDaemon',
          message: `libvirtd.service: inactive, not-found; ${name} serves instead`,
        },
      ]);
    },
  );

  it('shows a libvirtd that failed as failed, although a modular daemon is active', () => {
    const states = [unit('libvirtd.service', 'failed'), unit('virtqemud.service', 'active')];

    expect(unitConditions([], states)[0]).toMatchObject({ status: 'False', reason: 'Failed' });
  });

  it('says that a daemon which left for want of work comes back by its socket', () => {
    const states = [unit('libvirtd.service', 'inactive'), unit('libvirtd.socket', 'active')];

    expect(unitConditions([], states)).toEqual([
      {
        type: 'libvirtd.service',
        status: 'False',
        reason: 'Stopped',
        message: 'libvirtd.service: inactive, loaded; libvirtd.socket is active and starts it when a client connects',
      },
    ]);
  });

  it('always gives what the API takes as a reason', () => {
    assert(
      property(string(), string(), (activeState, loadState) => {
        const [condition] = unitConditions([], [unit('libvirtd.service', activeState, loadState)]);

        expect(condition?.reason).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/);
      }),
    );
  });
});

describe('unitsToAsk', () => {
  it('asks for the sockets as well, and for nothing twice', () => {
    expect(unitsToAsk(['virtqemud.service', 'virtqemud.service', 'multi-user.target'])).toEqual([
      'libvirtd.service',
      'virtqemud.service',
      'multi-user.target',
      'libvirtd.socket',
      'virtqemud.socket',
    ]);
  });
});

function unit(name: string, activeState: string, loadState = 'loaded'): UnitState {
  return { name, activeState, subState: 'dead', loadState };
}

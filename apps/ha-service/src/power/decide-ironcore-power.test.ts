import { describe, expect, it } from 'vitest';

import { decideIronCorePower } from './decide-ironcore-power.ts';
import type { Server, ServerMaintenance } from './ironcore-kinds.ts';

const level = { driver: 'ironcore', name: 'iron', server: 'n1', namespace: 'metal' } as const;
const ours = { name: 'ha-n1', namespace: 'metal' };

describe('decideIronCorePower', () => {
  it.each([
    { powerState: 'On', state: 'on' },
    { powerState: 'PoweringOff', state: 'powering-off' },
    { powerState: 'Paused', state: 'paused' },
    { powerState: 'off', state: 'unknown' },
    { powerState: '', state: 'unknown' },
  ])('takes $powerState for $state', ({ powerState, state }) => {
    const view = {
      server: server({ powerState, state: 'Maintenance' }, ours),
      maintenance: maintenance('InMaintenance'),
    };

    expect(decideIronCorePower(view, level).state).toBe(state);
  });

  it('takes Off for off once the operator has the server under our maintenance', () => {
    const view = {
      server: server({ powerState: 'Off', state: 'Maintenance' }, ours),
      maintenance: maintenance('InMaintenance'),
    };

    expect(decideIronCorePower(view, level)).toEqual({ state: 'off', message: undefined });
  });

  it.each([
    { what: 'no maintenance', reference: ours, state: 'Maintenance', maintains: undefined },
    { what: 'a pending one', reference: ours, state: 'Maintenance', maintains: 'Pending' },
    { what: 'a failed one', reference: ours, state: 'Maintenance', maintains: 'Failed' },
    { what: "somebody else's", reference: { ...ours, name: 'bios' }, state: 'Maintenance', maintains: 'InMaintenance' },
    {
      what: 'another namespace',
      reference: { ...ours, namespace: 'x' },
      state: 'Maintenance',
      maintains: 'InMaintenance',
    },
    { what: 'a server that has not heard of it', reference: ours, state: 'Reserved', maintains: 'InMaintenance' },
  ])('does not believe Off with $what', ({ reference, state, maintains }) => {
    const view = {
      server: server({ powerState: 'Off', state }, reference),
      maintenance: maintains === undefined ? undefined : maintenance(maintains),
    };

    expect(decideIronCorePower(view, level)).toEqual({
      state: 'unknown',
      message: expect.stringMatching(/^the status/),
    });
  });

  it.each([
    { state: 'Parked', power: 'off' },
    { state: 'Reserved', power: 'unknown' },
  ])('takes Off of a server that is $state for $power where servers are parked', ({ state, power }) => {
    const view = { server: server({ powerState: 'Off', state }), maintenance: undefined };

    expect(decideIronCorePower(view, { ...level, order: 'park' }).state).toBe(power);
  });
});

function server(status: Server['status'] & {}, serverMaintenanceRef?: { name: string; namespace: string }): Server {
  const spec = { systemUUID: 'u', ...(serverMaintenanceRef && { serverMaintenanceRef }) };
  return { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'Server', metadata: { name: 'n1' }, spec, status };
}

function maintenance(state: string): ServerMaintenance {
  return { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerMaintenance', metadata: ours, status: { state } };
}

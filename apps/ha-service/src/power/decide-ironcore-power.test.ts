import { describe, expect, it } from 'vitest';

import { decideIronCorePower } from './decide-ironcore-power.ts';
import type { Server, ServerMaintenance } from './ironcore-kinds.ts';

const level = { driver: 'ironcore', name: 'iron', server: 'n1', namespace: 'metal' } as const;
const ours = { name: 'ha-n1-1', namespace: 'metal' };
const ORDERED: Readonly<Record<string, string>> = { 'smalt.dev/ha-order': '1' };

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
      maintenances: [maintenance('InMaintenance')],
    };

    expect(decideIronCorePower(view, level).state).toBe(state);
  });

  it('takes Off for off once the operator has the server under our maintenance', () => {
    const view = {
      server: server({ powerState: 'Off', state: 'Maintenance' }, ours),
      maintenances: [maintenance('InMaintenance')],
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
      maintenances: maintains === undefined ? [] : [maintenance(maintains)],
    };

    expect(decideIronCorePower(view, level)).toEqual({
      state: 'unknown',
      message: expect.stringMatching(/^the status/),
    });
  });

  it('does not believe Off while there are two maintenances, but does with one that is on its way out', () => {
    const off = server({ powerState: 'Off', state: 'Maintenance' }, ours);
    const [current, other] = [maintenance('InMaintenance'), maintenance('InMaintenance', { name: 'ha-n1-old' })];
    const leaving = maintenance('InMaintenance', { name: 'ha-n1-old', deletionTimestamp: '2026-01-02T03:04:05Z' });

    expect(decideIronCorePower({ server: off, maintenances: [current, other] }, level).state).toBe('unknown');
    expect(decideIronCorePower({ server: off, maintenances: [leaving] }, level).state).toBe('unknown');
    expect(decideIronCorePower({ server: off, maintenances: [leaving, current] }, level).state).toBe('off');
  });

  it.each([
    { what: 'parked by our order', state: 'Parked', annotations: ORDERED, power: 'off' },
    { what: 'not parked yet', state: 'Reserved', annotations: ORDERED, power: 'unknown' },
    { what: 'parked by somebody else', state: 'Parked', annotations: {}, power: 'unknown' },
    {
      what: 'parked while our order lies there',
      state: 'Parked',
      annotations: { ...ORDERED, 'metal.ironcore.dev/operation': 'park' },
      power: 'unknown',
    },
  ])('takes Off of a server that is $what for $power', ({ state, annotations, power }) => {
    const { metadata, ...rest } = server({ powerState: 'Off', state });
    const view = { server: { ...rest, metadata: { ...metadata, annotations } }, maintenances: [] };

    expect(decideIronCorePower(view, { ...level, order: 'park' }).state).toBe(power);
  });
});

function server(status: Server['status'] & {}, serverMaintenanceRef?: { name: string; namespace: string }): Server {
  const spec = { systemUUID: 'u', ...(serverMaintenanceRef && { serverMaintenanceRef }) };
  return { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'Server', metadata: { name: 'n1' }, spec, status };
}

function maintenance(state: string, more: Partial<ServerMaintenance['metadata']> = {}): ServerMaintenance {
  const spec = { serverRef: { name: 'n1' }, serverPower: 'Off' };
  const kind = { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerMaintenance' };
  return { ...kind, metadata: { ...ours, ...more }, spec, status: { state } };
}

import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { judgeRelocation, parseRelocation, type Relocation } from './relocation.ts';

const relocation: Relocation = { id: '1', source: 'n1', instanceUid: 'old', startedAt: '2026-03-01T12:00:00Z' };

describe('judgeRelocation', () => {
  it.each([
    ['the old instance looks alive', machine('Always'), instance('old', 'Running', 'n1'), 'open', undefined],
    ['the old instance has failed', machine('Always'), instance('old', 'Failed', 'n1'), 'open', undefined],
    ['there is none', machine('Always'), undefined, 'open', undefined],
    ['the next one is placed', machine('Always'), instance('new', 'Scheduled', 'n2'), 'open', 'n2'],
    [
      'the next one failed, and there will be another',
      machine('Always'),
      instance('new', 'Failed', 'n2'),
      'open',
      'n2',
    ],
    ['the next one runs', machine('Always'), instance('new', 'Running', 'n2'), 'done', 'n2'],
    ['the next one runs where the old one was', machine('Always'), instance('new', 'Running', 'n1'), 'done', 'n1'],
    ['its owner has stopped it', machine('Halted'), undefined, 'failed', undefined],
    ['its owner stops it', machine('Halted'), instance('old', 'Running', 'n1'), 'open', undefined],
    ['a start is still to come', machine('Manual', ['Start']), undefined, 'open', undefined],
    ['it ended by itself', machine('Manual'), instance('new', 'Succeeded', 'n2'), 'failed', 'n2'],
  ] as const)('while %s', (...[, machineNow, vmi, state, targetName]) => {
    expect(judgeRelocation(relocation, machineNow, vmi)).toMatchObject({ state, targetName });
  });

  it('has failed for good when that is noted', () => {
    const noted = { ...relocation, failure: 'no' };

    expect(judgeRelocation(noted, machine('Always'), instance('new', 'Running', 'n2'))).toMatchObject({
      state: 'failed',
      text: 'no',
    });
  });
});

describe('parseRelocation', () => {
  it('reads what was noted', () => {
    expect(parseRelocation(JSON.stringify(relocation))).toEqual(relocation);
    expect(parseRelocation(JSON.stringify({ ...relocation, failure: 'no' }))).toEqual({ ...relocation, failure: 'no' });
  });

  it.each([undefined, '', '{', '[]', '{"id":1}', '{"id":"1","source":"n"}'])('finds none in %j', (text) => {
    expect(parseRelocation(text)).toBeUndefined();
  });
});

function machine(runStrategy: string, orders: readonly string[] = []): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm', namespace: 'shop' },
    spec: { runStrategy, template: {} },
    status: { stateChangeRequests: orders.map((action) => ({ action })) },
  };
}

function instance(uid: string, phase: string, nodeName: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'shop', uid },
    spec: { domain: { devices: {} } },
    status: { phase, nodeName },
  };
}

import type { Eviction, MaintenanceMode } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import { testHypervisor } from '../fixtures/fleet-objects.ts';
import { testEviction, type EvictionParts } from '../fixtures/test-eviction.ts';
import { beforeClosed, decideEviction, type EvictionDecision } from './decide-eviction.ts';
import { hypervisorEvictions } from './hypervisor-evictions.ts';

const MODES = ['manual', 'auto', 'termination'] as const;
const RUNNING = {
  condition: { type: 'Evicting', status: 'True', reason: 'Running', message: 'Evicting' },
  isEvicted: false,
};
const EVICTED = {
  condition: { type: 'Evicting', status: 'False', reason: 'Succeeded', message: 'Evicted' },
  isEvicted: true,
};
const deleted = { deletionTimestamp: '2026-03-01T12:00:00Z' };

describe.each(MODES)('an eviction in the mode %s', (mode) => {
  it('is made when there is none', () => {
    expect(decide(mode, [])).toEqual({ action: { kind: 'create' }, ...RUNNING });
  });

  it.each([
    { what: 'has not begun', evicting: undefined, told: RUNNING },
    { what: 'runs', evicting: ['True', 'Running', 'Running'], told: RUNNING },
    { what: 'is in doubt', evicting: ['Unknown', 'Failed', '?'], told: RUNNING },
    { what: 'is done', evicting: ['False', 'Succeeded', 'eviction completed successfully'], told: EVICTED },
    { what: 'failed', evicting: ['False', 'Failed', 'no host has room'], told: failed('no host has room') },
    {
      what: 'ended oddly',
      evicting: ['False', 'Cancelled', 'somebody stopped it'],
      told: failed('somebody stopped it'),
    },
  ] as const)('is followed when it $what', ({ evicting, told }) => {
    const parts = evicting === undefined ? {} : { evicting };

    expect(decide(mode, [own(parts)])).toEqual({ action: { kind: 'none' }, ...told });
  });

  it('is not made beside one of the same name that somebody else has made', () => {
    const foreign = testEviction('n1', { hypervisor: 'n1', evicting: ['False', 'Succeeded', ''] });

    expect(decide(mode, [foreign])).toEqual({ action: { kind: 'none' }, ...EVICTED });
  });

  it('is made beside one of another name, which does not count', () => {
    const foreign = testEviction('other', { hypervisor: 'n1', evicting: ['False', 'Succeeded', ''] });

    expect(decide(mode, [foreign])).toEqual({ action: { kind: 'create' }, ...RUNNING });
  });

  it('does not count as done while the last one is on its way out', () => {
    const leaving = own({ evicting: ['False', 'Succeeded', ''], metadata: deleted });

    expect(decide(mode, [leaving])).toEqual({ action: { kind: 'none' }, ...RUNNING });
  });

  it('fails where its name is taken by one for another host', () => {
    const named = testEviction('n1', { hypervisor: 'n10', evicting: ['False', 'Succeeded', ''] });
    const hypervisor = testHypervisor('n1', { spec: { maintenance: mode } });

    const decision = decideEviction(hypervisor, hypervisorEvictions(hypervisor, named, []));

    expect(decision).toEqual({ action: { kind: 'none' }, ...failed('Eviction n1 is for hypervisor "n10": delete it') });
  });
});

describe.each(['', 'ha'] as const)('an eviction in the mode "%s"', (mode) => {
  it('is not made', () => {
    expect(decide(mode, [])).toEqual({ action: { kind: 'none' }, condition: undefined, isEvicted: false });
  });

  it('is deleted when it is ours, and told until it is gone', () => {
    const running = own({ evicting: ['True', 'Running', ''] });
    const leaving = own({ evicting: ['True', 'Running', ''], metadata: deleted });

    expect(decide(mode, [running])).toEqual({ action: { kind: 'delete', eviction: running }, ...RUNNING });
    expect(decide(mode, [leaving])).toEqual({ action: { kind: 'none' }, ...RUNNING });
  });

  it('no longer makes the host an evicted one once it is to go', () => {
    const finished = own({ evicting: ['False', 'Succeeded', ''] });

    expect(decide(mode, [finished])).toEqual({
      action: { kind: 'delete', eviction: finished },
      condition: undefined,
      isEvicted: false,
    });
  });

  it('is told to have failed until it is gone', () => {
    const broken = own({ evicting: ['False', 'Failed', 'no room'] });

    expect(decide(mode, [broken])).toEqual({ action: { kind: 'delete', eviction: broken }, ...failed('no room') });
  });

  it('is followed and left alone when somebody else has made it', () => {
    const byAgent = testEviction('n1', { hypervisor: 'n1', metadata: { ownerReferences: [ownerOf('n1', false)] } });
    const byPerson = testEviction('drain', { hypervisor: 'n1', evicting: ['False', 'Succeeded', ''] });

    expect(decide(mode, [byAgent])).toEqual({ action: { kind: 'none' }, ...RUNNING });
    expect(decide(mode, [byPerson])).toEqual({ action: { kind: 'none' }, ...EVICTED });
  });

  it('is told as badly as the worst of several stands', () => {
    const done = testEviction('a', { hypervisor: 'n1', evicting: ['False', 'Succeeded', ''] });
    const broken = testEviction('b', { hypervisor: 'n1', evicting: ['False', 'Failed', 'no room'] });
    const running = testEviction('c', { hypervisor: 'n1' });

    expect(decide(mode, [done, broken])).toMatchObject(failed('no room'));
    expect(decide(mode, [done, broken, running])).toMatchObject(RUNNING);
  });
});

it('does not count as done before the host is closed', () => {
  const done = decide('manual', [own({ evicting: ['False', 'Succeeded', ''] })]);
  const broken = decide('manual', [own({ evicting: ['False', 'Failed', 'no room'] })]);

  expect(beforeClosed(done)).toEqual({ action: { kind: 'none' }, ...RUNNING });
  expect(beforeClosed(broken)).toBe(broken);
});

describe('hypervisorEvictions', () => {
  it('takes one for ours only if this very hypervisor controls it', () => {
    const hypervisor = testHypervisor('n1', { metadata: { uid: 'another life' } });
    const ofAnEarlierLife = own({});

    const { own: ours, foreign } = hypervisorEvictions(hypervisor, ofAnEarlierLife, [ofAnEarlierLife]);

    expect(ours).toBeUndefined();
    expect(foreign).toEqual([ofAnEarlierLife]);
  });
});

function decide(maintenance: MaintenanceMode, evictions: readonly Eviction[]): EvictionDecision {
  const hypervisor = testHypervisor('n1', { spec: { maintenance } });
  const named = evictions.find(({ metadata }) => metadata.name === 'n1');
  return decideEviction(hypervisor, hypervisorEvictions(hypervisor, named, evictions));
}

function own({ metadata, ...parts }: Partial<EvictionParts>): Eviction {
  return testEviction('n1', {
    hypervisor: 'n1',
    ...parts,
    metadata: { ownerReferences: [ownerOf('n1', true)], ...metadata },
  });
}

function ownerOf(name: string, controller: boolean) {
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', name, uid: `uid-of-${name}`, controller };
}

function failed(message: string) {
  return {
    condition: { type: 'Evicting', status: 'False', reason: 'Failed', message, isWarning: true },
    isEvicted: false,
  };
}

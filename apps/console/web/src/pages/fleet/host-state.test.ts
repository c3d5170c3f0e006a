import type { Hypervisor } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import { hostState, whyNotReady } from './host-state.ts';

describe('the state of a host', () => {
  it.each([
    ['Active', { words: 'In use', tone: 'good' }],
    ['Evicting', { words: 'Being emptied', tone: 'busy' }],
    ['Aborted', { words: 'Onboarding given up', tone: 'bad' }],
  ] as const)('is told by the operator as %s', (lifecycleState, expected) => {
    expect(hostState(host({ lifecycleState }))).toEqual(expected);
  });

  it.each([
    ['True', 'Reports'],
    ['False', 'libvirt does not answer'],
    ['Unknown', 'New'],
  ] as const)('is told by its agent where there is no operator, when libvirt answers: %s', (status, words) => {
    expect(hostState(host({ conditions: [condition('LibVirtConnection', status)] })).words).toBe(words);
  });

  it('is new as long as nobody has said anything', () => {
    expect(hostState(host(undefined)).words).toBe('New');
  });
});

describe('why a host cannot be used', () => {
  it('is said by its condition Ready', () => {
    const blocked = host({ conditions: [{ ...condition('Ready', 'False'), message: 'traits are awaited' }] });

    expect(whyNotReady(blocked)).toBe('traits are awaited');
  });

  it('is nothing when it can, or when nobody has said', () => {
    expect(whyNotReady(host({ conditions: [condition('Ready', 'True')] }))).toBeUndefined();
    expect(whyNotReady(host({}))).toBeUndefined();
  });
});

function host(status: Partial<Hypervisor['status']>): Hypervisor {
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'hv1' },
    ...(status === undefined ? {} : { status: { numInstances: 0, ...status } }),
  };
}

function condition(type: string, status: 'True' | 'False' | 'Unknown') {
  return { type, status, reason: 'Because', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

import { describe, expect, it } from 'vitest';

import { isGateOpen } from './feature-gates.ts';

describe('isGateOpen', () => {
  it.each([
    { gate: 'HostDisk', on: [], off: [], isOpen: false },
    { gate: 'HostDisk', on: ['HostDisk'], off: [], isOpen: true },
    { gate: 'HostDisk', on: ['HostDisk'], off: ['HostDisk'], isOpen: true },
    { gate: 'RebootPolicy', on: [], off: [], isOpen: true },
    { gate: 'RebootPolicy', on: [], off: ['RebootPolicy'], isOpen: false },
    { gate: 'RebootPolicy', on: ['RebootPolicy'], off: ['RebootPolicy'], isOpen: true },
    { gate: 'NUMA', on: [], off: ['NUMA'], isOpen: true },
  ] as const)('$gate with $on switched on and $off switched off is open: $isOpen', ({ gate, on, off, isOpen }) => {
    expect(isGateOpen({ featureGates: on, disabledFeatureGates: off }, gate)).toBe(isOpen);
  });
});

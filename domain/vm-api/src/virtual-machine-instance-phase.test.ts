import { expect, it } from 'vitest';

import { virtualMachineInstance } from '../kinds/virtual-machine-instance.ts';
import {
  VirtualMachineInstanceConditionReason,
  VirtualMachineInstanceConditionType,
} from './virtual-machine-instance-conditions.ts';
import { isFinalPhase, VirtualMachineInstancePhase } from './virtual-machine-instance-phase.ts';

it('ends in two phases only', () => {
  expect(Object.values(VirtualMachineInstancePhase).filter(isFinalPhase)).toEqual(['Succeeded', 'Failed']);
  expect(isFinalPhase(undefined)).toBe(false);
});

it('has a meaning in the reference for every condition', () => {
  const described = virtualMachineInstance.conditions?.map(({ type }) => type);

  expect(described?.toSorted()).toEqual(Object.values(VirtualMachineInstanceConditionType).toSorted());
});

it('has reasons for conditions that exist', () => {
  const types: readonly string[] = Object.values(VirtualMachineInstanceConditionType);

  expect(Object.keys(VirtualMachineInstanceConditionReason).filter((type) => !types.includes(type))).toEqual([]);
});

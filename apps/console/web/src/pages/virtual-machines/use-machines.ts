import { virtualMachineInstanceKind, virtualMachineKind } from '@smalt/vm-api';
import { useMemo, useState } from 'react';

import type { FollowState } from '../../live/followed.ts';
import { useFollowed, useFollowedOne } from '../../live/use-followed.ts';
import { joinMachines, MachineMaker, makeMachine, type Machine } from './machine.ts';

/** All machines of a namespace, or of all, live. */
export function useMachines(namespace: string | undefined): {
  readonly state: FollowState;
  readonly machines: readonly Machine[];
} {
  const virtualMachines = useFollowed(virtualMachineKind, { namespace });
  const instances = useFollowed(virtualMachineInstanceKind, { namespace });
  const [maker] = useState(() => new MachineMaker());
  const machines = useMemo(
    () => joinMachines(virtualMachines.objects, instances.objects, maker),
    [virtualMachines.objects, instances.objects, maker],
  );
  const state = virtualMachines.state.kind === 'ready' ? instances.state : virtualMachines.state;
  return { state, machines };
}

/** One machine, live; undefined when there is none, or not yet. */
export function useMachine(
  namespace: string,
  name: string,
): { readonly state: FollowState; readonly machine: Machine | undefined } {
  const virtualMachine = useFollowedOne(virtualMachineKind, { namespace, name });
  const instance = useFollowedOne(virtualMachineInstanceKind, { namespace, name });
  const machine = useMemo(
    () => makeMachine(virtualMachine.object, instance.object),
    [virtualMachine.object, instance.object],
  );
  const state = virtualMachine.state.kind === 'ready' ? instance.state : virtualMachine.state;
  return { state, machine };
}

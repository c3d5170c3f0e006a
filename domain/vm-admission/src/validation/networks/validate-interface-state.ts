import { goQuote } from '@smalt/resource';
import type { Interface } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

const STATES: readonly string[] = ['', 'up', 'down', 'absent'];

/** An interface is up, down or taken away, and only where that can be done. */
export function validateInterfaceStates({ path, spec }: SpecScope): readonly Cause[] {
  const defaultNetwork = (spec.networks ?? []).find(
    ({ pod, multus }) => pod !== undefined || multus?.default === true,
  )?.name;
  return (spec.domain.devices.interfaces ?? []).flatMap((nic, index) =>
    stateProblems(nic, defaultNetwork).map((message) =>
      invalid(`${path}.domain.devices.interfaces[${index}].state`, message),
    ),
  );
}

function stateProblems({ name, state = '', sriov, bridge }: Interface, defaultNetwork: string | undefined): string[] {
  const shown = `${goQuote(name)} interface's state ${goQuote(state)}`;
  const problems: string[] = [];
  if (!STATES.includes(state)) problems.push(`logical ${name} interface state value is unsupported: ${state}`);
  if (sriov !== undefined && (state === 'up' || state === 'down')) {
    problems.push(`${shown} is not supported for SR-IOV NICs`);
  }
  if (state !== 'absent') return problems;
  if (bridge === undefined) problems.push(`${shown} is supported only for bridge binding`);
  if (name === defaultNetwork) problems.push(`${shown} is not supported on default networks`);
  return problems;
}

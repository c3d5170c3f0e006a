import type { Probe } from '@smalt/vm-api';

import { invalid, required, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

const HANDLERS = ['httpGet', 'tcpSocket', 'exec', 'guestAgentPing'] as const;
const NETWORK_HANDLERS = ['httpGet', 'tcpSocket'] as const;

/** A probe asks in exactly one way, and over the network only when the guest is on the pod network. */
export function validateProbes({ path, spec }: SpecScope): readonly Cause[] {
  const hasPodNetwork = (spec.networks ?? []).some(({ pod }) => pod !== undefined);
  return (['readinessProbe', 'livenessProbe'] as const).flatMap((name) => {
    const probe = spec[name];
    if (probe === undefined) return [];
    const field = `${path}.${name}`;
    return [...validateHandlers(probe, field), ...(hasPodNetwork ? [] : refuseNetworkHandlers(probe, field))];
  });
}

function validateHandlers(probe: Probe, field: string): readonly Cause[] {
  const count = HANDLERS.filter((name) => probe[name] !== undefined).length;
  if (count === 1) return [];
  if (count > 1) return [invalid(field, `${field} must have exactly one probe type set`)];
  const message = `either ${field}.tcpSocket, ${field}.exec or ${field}.httpGet must be set if a ${field} is specified`;
  return [required(field, message)];
}

function refuseNetworkHandlers(probe: Probe, field: string): readonly Cause[] {
  return NETWORK_HANDLERS.filter((name) => probe[name] !== undefined).map((name) =>
    invalid(
      `${field}.${name}`,
      `${field}.${name} is only allowed if the Pod Network is attached`,
      'Add a network of type pod, or probe with exec or guestAgentPing.',
    ),
  );
}

import { shortHostName, type ComputeHost, type HostIdentity } from '@smalt/compute';
import type { ComputeGap } from '@smalt/failure-detection';

/** Which host of the compute system one of the fleet is, or why that is not certain. */
export type HostIdentification =
  | { readonly kind: 'known'; readonly identity: HostIdentity }
  | { readonly kind: 'unknown'; readonly gap: ComputeGap };

/** What there is to go by. */
export interface IdentityView {
  readonly name: string;
  /** The ids that the Hypervisor object has; undefined where there is no such object. */
  readonly stated: { readonly identity: HostIdentity | undefined } | undefined;
  /** The host of the compute system that has these ids; without an object, the one of exactly this name. */
  readonly found: ComputeHost | undefined;
  /** Whether several objects claim these ids. */
  readonly isDisputed: boolean;
  /** Whether the compute system has ever told its hosts. */
  readonly isListed: boolean;
}

const MEND = 'compare the ids in the status of its Hypervisor with the compute system, and mend the wrong side';

/** Says which host it is: by wrong ids one that lives would be declared dead, so any doubt counts. */
export function identifyHost({ name, stated, found, isDisputed, isListed }: IdentityView): HostIdentification {
  if (!isListed)
    return { kind: 'unknown', gap: { kind: 'unreachable', message: 'the compute system cannot be reached' } };
  if (stated === undefined) {
    if (found !== undefined) return { kind: 'known', identity: identityOf(found) };
    return doubt(
      `${name} has no Hypervisor object any more, and the compute system has no host of exactly that name; create it anew with its ids`,
    );
  }
  const { identity } = stated;
  if (identity === undefined) return doubt(`the Hypervisor of ${name} has no ids of the compute system; ${MEND}`);
  if (isDisputed) {
    return doubt(
      `several Hypervisors claim the compute service ${identity.serviceId} of ${name}; delete or mend the wrong ones`,
    );
  }
  if (found === undefined) {
    const { serviceId, hypervisorId } = identity;
    return doubt(
      `the compute system has no service ${serviceId} with a hypervisor ${hypervisorId}, as ${name} says; ${MEND}`,
    );
  }
  if (shortHostName(found.name) === shortHostName(name)) return { kind: 'known', identity };
  return doubt(`the compute system calls the service of ${name} ${found.name}; ${MEND}`);
}

function doubt(message: string): HostIdentification {
  return { kind: 'unknown', gap: { kind: 'identity', message } };
}

function identityOf({ hypervisorId, serviceId }: ComputeHost): HostIdentity {
  return { hypervisorId, serviceId };
}

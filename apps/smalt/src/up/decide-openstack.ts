export interface OpenStackFacts {
  /** Whether the flag was given. */
  readonly isWanted: boolean;
  /** Whether the data directory has one; undefined where it was never used. */
  readonly isKnown: boolean | undefined;
  /** How many hosts there are on this machine; 0 where it is the host itself. */
  readonly hosts: number;
  /** The data directory, without symbolic links. */
  readonly directory: string;
}

export type OpenStackDecision =
  | { readonly kind: 'use'; readonly hasOpenStack: boolean }
  | { readonly kind: 'refuse'; readonly message: string };

/** Decides whether a start has an OpenStack: where it had one before, or where it is wanted from the beginning. */
export function decideOpenStack({ isWanted, isKnown, hosts, directory }: OpenStackFacts): OpenStackDecision {
  const hasOpenStack = isKnown ?? isWanted;
  if (isWanted && !hasOpenStack) {
    const next = 'give another directory with --data, or remove this one with smalt down --purge';
    return refuse(`the data directory was made without it, for virtual machines of Smalt's own: ${next}`);
  }
  if (!hasOpenStack) return { kind: 'use', hasOpenStack };
  if (hosts < 2) return refuse('Nova moves servers from host to host: give --hosts 2 as well');
  if (`${directory}/`.startsWith('/run/')) {
    return refuse('its services do not see /run: give a directory elsewhere with --data');
  }
  return { kind: 'use', hasOpenStack };
}

function refuse(why: string): OpenStackDecision {
  return { kind: 'refuse', message: `--openstack: ${why}` };
}

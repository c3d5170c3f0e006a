import type { Deed } from '../../../api/rights.ts';

export const NO_CREATION = 'You may not create machines in this namespace';

/** What somebody has to be allowed to make a machine there. */
export function creationIn(namespace: string): Deed {
  return { verb: 'create', group: 'kubevirt.io', resource: 'virtualmachines', namespace };
}

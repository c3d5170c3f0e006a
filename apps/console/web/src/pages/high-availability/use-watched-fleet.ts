import { useMemo } from 'react';

import type { Deed } from '../../api/rights.ts';
import { useHasHighAvailability } from '../../api/use-session.ts';
import { HIGH_AVAILABILITY_CHANGES } from '../../live/follow-query.ts';
import type { FollowState } from '../../live/followed.ts';
import { useFollowedQuery } from '../../live/use-followed.ts';
import { sortOut, type WatchedFleet } from './fleet-objects.ts';

/** What makes somebody an operator of high availability. */
export const OPERATE: Deed = {
  verb: 'update',
  group: 'kvm.cloud.sap',
  resource: 'hypervisors',
  subresource: 'highavailability',
};

/** What the HA service watches over, live. */
export function useWatchedFleet(): WatchedFleet & { readonly hasService: boolean; readonly state: FollowState } {
  const hasService = useHasHighAvailability();
  const { state, byKey } = useFollowedQuery(hasService ? HIGH_AVAILABILITY_CHANGES : undefined);
  const fleet = useMemo(() => sortOut(byKey.values()), [byKey]);
  return { ...fleet, hasService, state };
}

import type { MigrationStatus } from '@smalt/fleet-api';

import type { Observation } from './observation.ts';

type Hosts = Pick<MigrationStatus, 'origin' | 'destination'>;

/** Whether a record is of a migration from or to this host. Nobody else may move or delete it: the API refuses that. */
export function isOfHost({ origin, destination }: Hosts, host: string): boolean {
  return origin === host || destination === host;
}

/** Whether a host can tell what it saw in a record: its place there is its own, or nobody's. */
export function hasRoomFor(record: Hosts, { role, host }: Pick<Observation, 'role' | 'host'>): boolean {
  return (record[role] ?? host) === host;
}

/** Whether two records name different hosts in the same place, and so are of two migrations. */
export function areOfOthers(left: Hosts, right: Hosts): boolean {
  return differ(left.origin, right.origin) || differ(left.destination, right.destination);
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

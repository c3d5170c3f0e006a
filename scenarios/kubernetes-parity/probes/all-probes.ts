import type { Probe } from '../probe.ts';
import { deletionProbes } from './deletion.ts';
import { discoveryProbes } from './discovery.ts';
import { listProbes } from './lists.ts';
import { objectLifeProbes } from './object-life.ts';
import { patchProbes } from './patches.ts';
import { refusalProbes } from './refusals.ts';
import { subresourceProbes } from './subresources-and-reviews.ts';
import { watchProbes } from './watches.ts';

/** Everything that is compared. */
export const allProbes: readonly Probe[] = [
  ...discoveryProbes,
  ...objectLifeProbes,
  ...refusalProbes,
  ...patchProbes,
  ...deletionProbes,
  ...listProbes,
  ...watchProbes,
  ...subresourceProbes,
];

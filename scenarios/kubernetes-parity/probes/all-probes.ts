import type { Probe } from '../probe.ts';
import { deletionProbes } from './deletion.ts';
import { discoveryProbes } from './discovery.ts';
import { listProbes } from './lists.ts';
import { nameProbes } from './names.ts';
import { objectLifeProbes } from './object-life.ts';
import { otherKindProbes } from './other-kinds.ts';
import { patchProbes } from './patches.ts';
import { placedPodProbes } from './placed-pods.ts';
import { protobufProbes } from './protobuf.ts';
import { refusalProbes } from './refusals.ts';
import { refusedObjectProbes } from './refused-objects.ts';
import { reviewProbes } from './reviews.ts';
import { subresourceProbes } from './subresources.ts';
import { versionProbes } from './versions.ts';
import { watchProbes } from './watches.ts';

/** Everything that is compared. */
export const allProbes: readonly Probe[] = [
  ...discoveryProbes,
  ...objectLifeProbes,
  ...refusalProbes,
  ...refusedObjectProbes,
  ...placedPodProbes,
  ...patchProbes,
  ...deletionProbes,
  ...listProbes,
  ...watchProbes,
  ...subresourceProbes,
  ...reviewProbes,
  ...otherKindProbes,
  ...protobufProbes,
  ...versionProbes,
  ...nameProbes,
];

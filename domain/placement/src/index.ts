export type { Claim, ClaimedVolume, StorageClass } from './claim.ts';
export { ClaimIndex } from './cluster/claim-index.ts';
export { Cluster } from './cluster/cluster.ts';
export { findUntoleratedTaint, tolerates } from './constraints/find-untolerated-taint.ts';
export { matchesNode } from './constraints/match-node-selector.ts';
export type { Node, Taint } from './node.ts';
export { placeIn, placePod, type Placement } from './place-pod.ts';
export { isInvalidObject, PlacementError, type PlacementErrorCode } from './placement-error.ts';
export {
  claimNameOf,
  isEndedPod,
  podKey,
  type Labels,
  type Pod,
  type PodContainer,
  type PodSpec,
  type PodStatus,
  type PodVolume,
  type QuantitiesByName,
} from './pod.ts';

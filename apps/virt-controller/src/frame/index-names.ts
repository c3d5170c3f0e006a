/** The indexes of the caches, by which objects that belong together are found. */
export const IndexName = {
  /** Instances by the nodes that they may run on, and launcher pods by theirs. */
  node: 'node',
  /** Launcher pods by `namespace/uid` of the instance that controls them. */
  instance: 'instance',
  /** Pods that hold claims, by `namespace/uid` of the instance that they do so for. */
  attachment: 'attachment',
  /** Migrations by the key of their instance. */
  instanceKey: 'instance-key',
  /** Instances and machines by the claims that they use. */
  claim: 'claim',
  /** Machines by what they choose, as `plural/namespace/name`; without a namespace for what is the cluster's. */
  choice: 'choice',
  /** Instances and machines by the uid of what looks after them. */
  owner: 'owner',
  /** Instances that nobody looks after, by their namespace. */
  free: 'free',
  /** Replica sets by their namespace. */
  namespace: 'namespace',
  /** Migrations by their uid. */
  uid: 'uid',
  /** Migrations that are not over, under `OPEN`. */
  open: 'open',
  /** Launcher pods by the uid of the migration that they were made for. */
  migration: 'migration',
} as const;

/** The one value of the index of that name. */
export const OPEN = 'open';

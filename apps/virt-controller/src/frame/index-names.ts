/** The indexes of the caches, by which objects that belong together are found. */
export const IndexName = {
  /** Instances by the nodes that they may run on, and launcher pods by theirs. */
  node: 'node',
  /** Launcher pods by the uid of their instance. */
  instance: 'instance',
  /** Migrations by the key of their instance. */
  instanceKey: 'instance-key',
  /** Instances and machines by the claims that they use. */
  claim: 'claim',
  /** Instances by the uid of what looks after them. */
  owner: 'owner',
  /** Migrations by their uid. */
  uid: 'uid',
} as const;

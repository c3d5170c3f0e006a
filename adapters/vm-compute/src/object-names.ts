/** What this adapter keeps on objects of the API. */
export const ObjectName = {
  /** Of a Node: why it takes no instances. */
  disabledReasonAnnotation: 'smalt.dev/disabled-reason',
  /** Of a VirtualMachine: the record of its last evacuation, and the node that it left. */
  evacuationAnnotation: 'smalt.dev/evacuation',
  evacuatedFromLabel: 'smalt.dev/evacuated-from',
  /** The same of its last cold move. */
  coldMoveAnnotation: 'smalt.dev/cold-move',
  coldMovedFromLabel: 'smalt.dev/cold-moved-from',
  /** Of instances that show whether a host can run one. */
  smokeTestLabel: 'smalt.dev/smoke-test',
  zoneLabel: 'topology.kubernetes.io/zone',
  hostNameLabel: 'kubernetes.io/hostname',
  aggregatePrefix: 'aggregate.smalt.dev/',
  traitPrefix: 'trait.smalt.dev/',
} as const;

export { OVSNodeConditionType } from './condition-types.ts';
export type {
  Bond,
  Bridge,
  FlowStats,
  Interfaces,
  Issue,
  Metrics,
  NodeReference,
  OVNController,
  OVSNode,
  OVSNodeCondition,
  OVSNodeSpec,
  OVSNodeStatus,
  PhysicalInterface,
  TableFlows,
} from './generated/objects.gen.ts';
export { ovsNodeKind } from './generated/references.gen.ts';
export { readOvsDefinitions } from './read-definitions.ts';
export type { SwitchTopology, TopologyBridge, TopologyInterface, TopologyPort } from './switch-topology.ts';

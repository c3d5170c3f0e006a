import {
  choice,
  conditions,
  defineKind,
  flag,
  int32,
  int64,
  listOf,
  of,
  shape,
  text,
  time,
  type ConditionMeaning,
  type Kind,
  type KindColumn,
} from '@smalt/kind';
import type { TSchema } from 'typebox';

const nodeReference: TSchema = shape({
  name: 'NodeReference',
  description: 'Names a node of the cluster.',
  required: ['name'],
  fields: { name: text('The name of the node.', { minLength: 1 }) },
});

const spec: TSchema = shape({
  name: 'OVSNodeSpec',
  description: 'Which node this is about. The agent writes it.',
  required: ['nodeRef'],
  fields: { nodeRef: of(nodeReference, 'The node whose Open vSwitch this is.') },
});

const bridge: TSchema = shape({
  name: 'Bridge',
  description: 'A bridge of Open vSwitch.',
  required: ['name'],
  fields: {
    datapathType: text('`system` for the kernel, `netdev` for user space.'),
    flows: int64('How many OpenFlow flows it has.', { minimum: 0 }),
    name: text('The name of the bridge.'),
    ports: int64('How many ports it has.', { minimum: 0 }),
    status: text(
      '`Active` when it works; else `Failed`, `NoDatapath`, `Silent`, `Disconnected`, `Missing`, or `Unknown` where nobody can tell.',
    ),
  },
});

const physicalInterface: TSchema = shape({
  name: 'PhysicalInterface',
  description: 'A network card of the host that Open vSwitch uses.',
  required: ['name'],
  fields: {
    bond: text('The bond it is a member of.'),
    name: text('The name of the interface.'),
    speed: text('The speed of its link, such as `25Gbps`.'),
    status: text('`Up`, `Down`, or `Unknown` where nobody can tell.'),
  },
});

const bond: TSchema = shape({
  name: 'Bond',
  description: 'Several network cards that act as one.',
  required: ['name'],
  fields: {
    activeMembers: int32('How many members carry traffic.', { minimum: 0 }),
    members: int32('How many members it has.', { minimum: 0 }),
    mode: text('How traffic is spread, such as `balance-tcp`.'),
    name: text('The name of the bond.'),
    status: text(
      '`Active` when all members carry traffic; else `Degraded`, `Down`, or `Unknown` where nobody can tell.',
    ),
  },
});

const interfaces: TSchema = shape({
  name: 'Interfaces',
  description: 'The interfaces of the host that Open vSwitch uses.',
  fields: {
    bonds: listOf(bond, 'The bonds.'),
    physical: listOf(physicalInterface, 'The network cards.'),
  },
});

const ovnController: TSchema = shape({
  name: 'OVNController',
  description: 'The agent of OVN on the node.',
  fields: {
    chassisId: text('Its id in the southbound database.'),
    connected: flag('Whether it is connected to the southbound database.'),
    sbConnection: text('Where the southbound database is, such as `tcp:10.0.0.10:6642`.'),
  },
});

const tableFlows: TSchema = shape({
  name: 'TableFlows',
  description: 'The flows of one OpenFlow table.',
  required: ['table', 'flows'],
  fields: {
    flows: int64('How many flows it has.', { minimum: 0 }),
    table: int32('The number of the table.', { minimum: 0, maximum: 255 }),
  },
});

const flowStats: TSchema = shape({
  name: 'FlowStats',
  description: 'How many flows there are.',
  fields: {
    flowsPerTable: listOf(tableFlows, 'The flows by table.'),
    totalFlows: int64('All flows of all bridges.', { minimum: 0 }),
  },
});

const metrics: TSchema = shape({
  name: 'Metrics',
  description: 'Counters since Open vSwitch was started.',
  fields: {
    bytesReceived: int64('Bytes that came in.', { minimum: 0 }),
    bytesSent: int64('Bytes that went out.', { minimum: 0 }),
    drops: int64('Packets that were dropped.', { minimum: 0 }),
    errors: int64('Packets that were damaged.', { minimum: 0 }),
    packetsReceived: int64('Packets that came in.', { minimum: 0 }),
    packetsSent: int64('Packets that went out.', { minimum: 0 }),
  },
});

const issue: TSchema = shape({
  name: 'Issue',
  description: 'Something an operator should look at.',
  required: ['severity', 'message'],
  fields: {
    advice: text('What to do next. Names in a command are quoted for a shell.'),
    detectedAt: time('When it was first seen.'),
    message: text('What is wrong.'),
    reason: text('The rule that found it, as one CamelCase word.', { maxLength: 1024 }),
    severity: text('How bad it is: `Critical`, `Warning` or `Info`.'),
    subject: text('What it is about: a port, a bridge, a bond or a daemon.'),
  },
});

// Objects in the field carry conditions of nothing but a type and a status.
const condition: TSchema = shape({
  name: 'OVSNodeCondition',
  description: 'A fact about Open vSwitch on the node.',
  required: ['type', 'status'],
  fields: {
    lastTransitionTime: time('When the status last changed.'),
    message: text('What happened, as a sentence.', { maxLength: 32768 }),
    observedGeneration: int64('The generation of the object that this was judged by.', { minimum: 0 }),
    reason: text('Why the status is what it is, as one CamelCase word.', { maxLength: 1024 }),
    status: choice(['True', 'False', 'Unknown'], 'Whether the condition holds.'),
    type: text('What the condition is about.', { minLength: 1, maxLength: 316 }),
  },
});

const status: TSchema = shape({
  name: 'OVSNodeStatus',
  description: 'What is known about Open vSwitch on the node.',
  fields: {
    bridges: listOf(bridge, 'The bridges.'),
    conditions: conditions('What is the case with Open vSwitch.', condition),
    dpdkEnabled: flag('Whether packets are handled in user space by DPDK.'),
    dpdkVersion: text('The version of DPDK.'),
    flowStats: of(flowStats, 'How many flows there are.'),
    interfaces: of(interfaces, 'The interfaces it uses.'),
    issues: listOf(issue, 'What an operator should look at.'),
    metrics: of(metrics, 'Counters since it was started.'),
    ovnController: of(ovnController, 'The agent of OVN on the node.'),
    ovsVersion: text('The version of Open vSwitch.'),
    ovsdVersion: text('The version of its database server.'),
  },
});

const columns: readonly KindColumn[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'OVS', type: 'string', jsonPath: '.status.ovsVersion' },
  { name: 'DPDK', type: 'boolean', jsonPath: '.status.dpdkEnabled' },
  { name: 'OVN', type: 'boolean', jsonPath: '.status.ovnController.connected' },
  { name: 'Flows', type: 'integer', jsonPath: '.status.flowStats.totalFlows' },
  { name: 'Issue', type: 'string', jsonPath: '.status.issues[0].message', description: 'The first of its issues.' },
  { name: 'DPDK Version', type: 'string', jsonPath: '.status.dpdkVersion', priority: 1 },
  { name: 'Chassis', type: 'string', jsonPath: '.status.ovnController.chassisId', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const meanings: readonly ConditionMeaning[] = [
  { type: 'Ready', meaning: 'The network of the node works; all other conditions hold.' },
  { type: 'OVSDBConnected', meaning: 'The agent talks to the database of Open vSwitch.' },
  { type: 'OVNControllerConnected', meaning: 'The agent of OVN talks to the southbound database and to Open vSwitch.' },
  { type: 'AllBridgesHealthy', meaning: 'Every bridge works.' },
  { type: 'AllBondsHealthy', meaning: 'Every member of every bond carries traffic.' },
];

export const ovsNode: Kind = defineKind({
  group: 'ovs.c5c3.io',
  versions: [{ name: 'v1alpha1' }],
  kind: 'OVSNode',
  plural: 'ovsnodes',
  shortNames: ['ovsn'],
  scope: 'Namespaced',
  description: 'Open vSwitch on one node, as its agent sees it. It has the name of the node.',
  columns,
  conditions: meanings,
  spec,
  status,
  required: ['spec'],
  hasStatus: true,
});

import { ChartAccounts, installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import {
  startOvsNode,
  type Datapath,
  type JoinOptions,
  type OvnCentral,
  type OvnController,
  type OvsNode,
} from '@smalt/bed-ovs';
import { isAlreadyExists, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { startOvsAgent, type OvsAgentOptions } from '@smalt/ovs-agent';
import { readOvsDefinitions } from '@smalt/ovs-api';
import { createLogger } from '@smalt/service-runtime';

import { OvsNodeWatch } from './ovs-node-watch.ts';

export const NAMESPACE = 'ovn-system';
const START_MS = 110_000;

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** As impatient as a busy machine allows; what takes minutes on a real node takes a second or two here. */
const TIMES = {
  refreshMs: 500,
  controllerMs: 200,
  answerMs: 1_000,
  countersMs: 60_000,
  scanMs: 1_000,
  guestsMs: 300,
} as const;
const PATIENCE = {
  silentMs: 300,
  datapathMs: 300,
  settleMs: 500,
  recoveryMs: 200,
  longestRecoveryMs: 500,
  configurationMs: 2_000,
  disconnectedMs: 500,
  openFlowMs: 1_000,
  southboundMs: 500,
  unattendedFlowsMs: 1_000,
  orphanMs: 1_000,
  migrationMs: 1_000,
  staleFlowsMs: 500,
} as const;

/** Settings of an agent that does not wait for long before it calls something a fault. */
export const impatience: Pick<OvsAgentOptions, 'times' | 'judgement' | 'southbound' | 'writesPerMinute'> = {
  times: TIMES,
  judgement: PATIENCE,
  southbound: { answerMs: 1_000 },
  // More happens here in a minute than on a real node in a year.
  writesPerMinute: 6_000,
};

/** An API server that knows OVSNodes. */
export interface OvsCluster extends AsyncDisposable {
  readonly api: TestApiServer;
  readonly client: KubeClient;
  /** Whom agents act as. */
  readonly accounts: ChartAccounts;
}

export async function startOvsCluster(): Promise<OvsCluster> {
  await using stack = new AsyncDisposableStack();
  const signal = AbortSignal.timeout(START_MS);
  const api = stack.use(await startTestApiServer({ isCluster: true, signal }));
  const kubeConfig = await loadKubeConfig({ path: api.kubeconfig, environment: {} });
  const client = stack.use(new KubeClient({ config: kubeConfig, userAgent: 'scenario/1' }));
  await installDefinitions(client, await readOvsDefinitions(), signal);
  const accounts = new ChartAccounts({ admin: client, kubeconfig: api.kubeconfig });
  await accounts.install({ files: ['ovs-agent'] }, signal);
  const owned = stack.move();
  return { api, client, accounts, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A node with Open vSwitch, OVN and an agent, and what its OVSNode says. */
export interface WatchedNode extends AsyncDisposable {
  readonly node: OvsNode;
  readonly controller: OvnController;
  readonly watch: OvsNodeWatch;
  readonly log: readonly string[];
}

export interface WatchedNodeOptions extends JoinOptions {
  readonly name: string;
  readonly datapath?: Datapath;
  /** How often its connection to the southbound database may change before that is called flapping. */
  readonly flapChanges?: number;
  /** Settings of the agent other than those of one that does not wait for long. */
  readonly agent?: (node: OvsNode) => Partial<OvsAgentOptions>;
}

/** Starts a node as a chassis of OVN, with a bond that has settled, and its agent in this process. */
export async function startWatchedNode(
  cluster: OvsCluster,
  central: OvnCentral,
  { name, datapath = 'dummy', flapChanges, agent, ...join }: WatchedNodeOptions,
): Promise<WatchedNode> {
  await using stack = new AsyncDisposableStack();
  const node = stack.use(await startOvsNode({ datapath, name }));
  const bridges = ['br-int', 'br-ex', 'br-provider'].map((bridge) => ['--', ...addBridge(bridge)]);
  await node.vsctl(...bridges.flat());
  const bond = await node.addBond();
  const controller = await node.joinOvn(central, join);
  await bond.settled();
  const watch = stack.use(new OvsNodeWatch(cluster.client, name));
  const log: string[] = [];
  stack.use(
    await (agent === undefined
      ? startImpatientAgent(cluster, node, { log, flapChanges })
      : startAgent(cluster, node, { log, ...agent(node) })),
  );
  const owned = stack.move();
  return { node, controller, watch, log, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Starts an agent in this process, which does not wait for long before it calls something a fault. */
export async function startImpatientAgent(
  cluster: OvsCluster,
  node: OvsNode,
  { log = [], flapChanges = 3 }: { readonly log?: string[]; readonly flapChanges?: number | undefined } = {},
): Promise<AsyncDisposable> {
  const judgement = { ...PATIENCE, flapChanges };
  return await startAgent(cluster, node, { ...impatience, log, judgement });
}

/** Starts an agent in this process with the settings that it has everywhere, but for those that are given. */
async function startAgent(
  { accounts, client }: OvsCluster,
  node: OvsNode,
  { log, ...settings }: Partial<OvsAgentOptions> & { readonly log: string[] },
): Promise<AsyncDisposable> {
  await ensureNode(client, node.name);
  const kubeConfig = await accounts.config({ name: 'smalt-ovs-agent', nodeName: node.name });
  const options = {
    nodeName: node.name,
    kubeConfig,
    namespace: NAMESPACE,
    runDirectories: [node.runDirectory],
    sysfs: node.network?.sysfs,
    southbound: {},
    logger: createLogger({ name: 'ovs-agent', destination: { write: (line) => log.push(line) } }),
    ...settings,
  };
  return await startOvsAgent(options, new AbortController().signal);
}

/** The token of an agent is bound to its Node. */
async function ensureNode(client: KubeClient, name: string): Promise<void> {
  try {
    await client.resource(nodeKind).create({ metadata: { name } });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** The words of ovs-vsctl that add a bridge in user space. */
export function addBridge(name: string): readonly string[] {
  return ['add-br', name, '--', 'set', 'bridge', name, 'datapath_type=netdev'];
}

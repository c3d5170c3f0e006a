import { startApiServer, type ApiServer } from '@smalt/apiserver';
import {
  ChartAccounts,
  installDefinitions,
  isOnKubernetes,
  keepAuditLog,
  startRealApiServer,
} from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig, type KubeConfig } from '@smalt/kube';
import { startScheduler } from '@smalt/scheduler';
import { createLogger, MetricsRegistry, type Logger } from '@smalt/service-runtime';
import { controlPlaneIn, openVirtApiParts, plugVirtApi } from '@smalt/virt-api';
import { startVirtController } from '@smalt/virt-controller';
import { DEFAULT_CLUSTER_SETTINGS, type ClusterSettings } from '@smalt/vm-admission';
import { HypervisorDriver, readVmDefinitions } from '@smalt/vm-api';

import { ControlProcess } from './control-process.ts';
import { deployVirtApi, HANDLER_TOKENS, SYSTEM_NAMESPACE } from './deploy-virt-api.ts';

/** What the parts of it may do, those on its nodes too: no more than what the chart gives them. */
const RIGHTS = [
  'virt-api',
  'virt-api-policies',
  'virt-controller',
  'scheduler',
  'pod-runner',
  'pod-runner-policies',
  'virt-handler',
  'virt-handler-policies',
  'fence-proofs',
  'launcher-pods',
];

export interface ControlPlaneOptions {
  readonly directory: string;
  /** The address that hosts reach the API server by. */
  readonly address: string;
  /** Kinds that the cluster has beside those of virtual machines. */
  readonly definitions?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** What admission lets through beside what it does by default. */
  readonly featureGates?: readonly string[] | undefined;
  /** Whether nobody acts on what is there: neither a scheduler of ours nor the controller is started. */
  readonly isIdle?: boolean | undefined;
  /** Whether the scheduler and the controller are processes of their own. */
  readonly isApart?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** An API server with virt-api in it or beside it, a scheduler and the controller, in this process if not told otherwise. */
export interface VmControlPlane extends AsyncDisposable {
  readonly server: { readonly kubeconfig: string };
  readonly admin: KubeClient;
  /** Whom its parts act as. */
  readonly accounts: ChartAccounts;
  /** The parts that are processes of their own. */
  readonly processes: readonly ControlProcess[];
  /** What they had to complain of. */
  readonly log: readonly string[];
}

/** Starts it: all of ours, or beside the real API server, controller manager and scheduler. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<VmControlPlane> {
  const { directory, address, signal, definitions = [], featureGates = [] } = options;
  await using stack = new AsyncDisposableStack();
  const log: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => log.push(line) } });
  const ours = isOnKubernetes() ? undefined : await startServer(stack, { directory, address, logger, signal });
  const server = ours ?? stack.use(await startRealApiServer({ address, isCluster: true, signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  const admin = stack.use(new KubeClient({ config, userAgent: 'admin/1' }));
  await installDefinitions(admin, [...(await readVmDefinitions()), ...definitions], signal);
  const accounts = new ChartAccounts({ admin, kubeconfig: server.kubeconfig });
  await accounts.install({ files: RIGHTS }, signal);
  const kubeConfig = await accounts.config({ name: 'smalt-virt-api' });
  const settings = { ...DEFAULT_CLUSTER_SETTINGS, featureGates, allowedHypervisors: Object.values(HypervisorDriver) };
  if (ours === undefined) stack.use(await deployVirtApi({ admin, kubeConfig, address, settings, logger, signal }));
  else await plug(stack, ours, kubeConfig, settings);
  const parts = partsOf(options, ours !== undefined);
  const processes = options.isApart === true ? await startProcesses(parts, accounts, directory) : [];
  for (const each of processes) stack.use(each);
  if (options.isApart !== true) await startInside(stack, parts, accounts, logger);
  const owned = stack.move();
  return { server, admin, accounts, processes, log, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Where the server is the real one, so is the scheduler. */
function partsOf({ isIdle = false }: ControlPlaneOptions, isOurs: boolean): readonly string[] {
  if (isIdle) return [];
  return isOurs ? ['scheduler', 'virt-controller'] : ['virt-controller'];
}

/** Puts virt-api into our server. */
async function plug(
  owner: AsyncDisposableStack,
  server: ApiServer,
  config: KubeConfig,
  settings: ClusterSettings,
): Promise<void> {
  const client = owner.use(new KubeClient({ config, userAgent: 'virt-api/1' }));
  const controlPlane = controlPlaneIn(SYSTEM_NAMESPACE);
  const metrics = new MetricsRegistry();
  const parts = await openVirtApiParts({ client, settings, controlPlane, metrics, handlerTokens: HANDLER_TOKENS });
  owner.defer(plugVirtApi(server, parts));
}

async function startProcesses(
  names: readonly string[],
  accounts: ChartAccounts,
  directory: string,
): Promise<readonly ControlProcess[]> {
  const configs = await Promise.all(names.map((name) => accounts.kubeconfig({ name: `smalt-${name}` }, directory)));
  const processes = names.map((name, index) => new ControlProcess(name, configs[index] ?? '', directory));
  for (const each of processes) each.start();
  return processes;
}

async function startInside(
  owner: AsyncDisposableStack,
  names: readonly string[],
  accounts: ChartAccounts,
  logger: Logger,
): Promise<void> {
  const forever = new AbortController().signal;
  const own = async (name: string) => ({ kubeConfig: await accounts.config({ name }), logger });
  if (names.includes('scheduler')) owner.use(await startScheduler(await own('smalt-scheduler'), forever));
  if (!names.includes('virt-controller')) return;
  owner.use(await startVirtController(await own('smalt-virt-controller'), forever));
}

interface ServerPlace extends Pick<ControlPlaneOptions, 'directory' | 'address' | 'signal'> {
  readonly logger: Logger;
}

async function startServer(
  owner: AsyncDisposableStack,
  { directory, address, logger: log, signal }: ServerPlace,
): Promise<ApiServer> {
  const dataDirectory = `${directory}/apiserver`;
  owner.defer(() => keepAuditLog(dataDirectory));
  return owner.use(await startApiServer({ dataDirectory, listen: { host: address, port: 0 }, log }, signal));
}

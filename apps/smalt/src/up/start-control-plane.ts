import type { ApiServer } from '@smalt/apiserver';
import {
  allControllers,
  isKindsChanged,
  loadOperatorConfig,
  openStackOpener,
  splitConfig,
  startOperator,
  virtualMachinesOpener,
  type OperatorOptions,
} from '@smalt/hypervisor-operator';
import { KubeClient, type KubeConfig } from '@smalt/kube';
import { loadCloudConfig } from '@smalt/openstack';
import { startScheduler } from '@smalt/scheduler';
import { MetricsRegistry, type Logger } from '@smalt/service-runtime';
import { controlPlaneIn, openVirtApiParts, plugVirtApi } from '@smalt/virt-api';
import { startVirtController } from '@smalt/virt-controller';
import { DEFAULT_CLUSTER_SETTINGS } from '@smalt/vm-admission';
import { HypervisorDriver } from '@smalt/vm-api';

import { startTogether } from '../start-together.ts';
import { SYSTEM_NAMESPACE, type MachineAccounts } from '../virtual-machines/machine-accounts.ts';

export interface ControlPlaneOptions {
  readonly server: ApiServer;
  readonly accounts: MachineAccounts;
  /** Whether hosts can be switched off, so that the HA service may be in charge of them. */
  readonly isFenced: boolean;
  /** What OpenStack's clients read, where the instances are servers of one; they are virtual machines of ours otherwise. */
  readonly cloud?: Readonly<Record<string, string>> | undefined;
  readonly log: Logger;
}

/** What decides. Disposing of it stops it in order. */
export interface ControlPlane extends AsyncDisposable {
  /** Resolves when all was told to stop and has; rejects when a part cannot go on. */
  readonly ended: Promise<void>;
}

/** Hosts on one machine come and go with it: what they wait for is looked at soon, and nothing of a data centre is there. */
const OPERATOR_FLAGS = [
  `--agent-namespaces=${SYSTEM_NAMESPACE}`,
  '--onboarding-poll-ms=2000',
  '--hypervisor-new-hypervisor-install-certificate=false',
  '--hypervisor-new-hypervisor-evacuate-on-reboot=false',
  '--certificate-when=never',
  '--node-lifecycle-when=never',
  '--stop-timeout-ms=2000',
];

/** Where the operator looks for test instances that it left behind: its own project there, in which it has a role. */
const OPENSTACK_FLAGS = [
  '--compute=openstack',
  '--openstack-smoke-test-project=test',
  '--openstack-smoke-test-project-domain=Default',
];

/** Starts virt-api in the API server, and the scheduler, virt-controller and hypervisor operator in this process. */
export async function startControlPlane(options: ControlPlaneOptions, signal: AbortSignal): Promise<ControlPlane> {
  const { server, accounts, log } = options;
  await using stack = new AsyncDisposableStack();
  await plugApi(server, accounts, { stack, signal });
  const own = async (name: string): Promise<Own> => ({
    kubeConfig: await accounts.join({ name }, signal),
    logger: log,
  });
  const scheduling = own('smalt-scheduler').then((each) => startScheduler(each, signal));
  const controlling = own('smalt-virt-controller').then((each) => startVirtController(each, signal));
  const operating = own('smalt-hypervisor-operator').then((each) => startFleet(each, options, signal));
  const [scheduler, controller, fleet] = await startTogether(stack, [scheduling, controlling, operating]);
  const ended = Promise.all([scheduler.ended, controller.ended, fleet.ended]).then(() => undefined);
  ended.catch(() => undefined);
  const owned = stack.move();
  return { ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface Own {
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
}

async function startFleet(own: Own, around: ControlPlaneOptions, signal: AbortSignal): Promise<ControlPlane> {
  const options = await operatorOptions(own, around);
  const first = await startOperator(options, signal);
  return { ended: keepFleet(first, options, signal), [Symbol.asyncDispose]: () => first[Symbol.asyncDispose]() };
}

/** An operator ends when the kinds of its cluster change, for another one to begin with those. */
async function keepFleet(
  first: Awaited<ReturnType<typeof startOperator>>,
  options: OperatorOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let operator = first; ; operator = await startOperator(options, signal)) {
    try {
      return await operator.ended;
    } catch (error) {
      if (!isKindsChanged(error)) throw error;
      await operator[Symbol.asyncDispose]();
    }
  }
}

async function operatorOptions(own: Own, { isFenced, cloud }: ControlPlaneOptions): Promise<OperatorOptions> {
  const words = [
    ...OPERATOR_FLAGS,
    ...(cloud === undefined ? ['--compute=virtual-machines'] : OPENSTACK_FLAGS),
    `--hypervisor-new-hypervisor-high-availability=${isFenced}`,
  ];
  const loaded = await loadOperatorConfig({ arguments: words, environment: {} });
  if (loaded.kind !== 'config') throw new TypeError('the settings of the operator ask for help');
  const { settings, virtualMachines, openStack } = splitConfig(loaded.config);
  const { stopTimeoutMs } = loaded.config;
  const openCompute =
    cloud === undefined
      ? virtualMachinesOpener(virtualMachines)
      : openStackOpener(await loadCloudConfig({ environment: cloud }), openStack);
  return { ...own, openCompute, controllers: allControllers(settings), stopTimeoutMs, environment: {} };
}

async function plugApi(
  server: ApiServer,
  accounts: MachineAccounts,
  { stack, signal }: { readonly stack: AsyncDisposableStack; readonly signal: AbortSignal },
): Promise<void> {
  const config = await accounts.join({ name: 'smalt-virt-api' }, signal);
  const client = stack.use(new KubeClient({ config, userAgent: 'smalt-virt-api/0.1' }));
  const controlPlane = controlPlaneIn(SYSTEM_NAMESPACE);
  // Only root is let in, who gains nothing by a container: docs/decisions/0006-smalt-up-lets-only-root-in.md.
  const settings = { ...DEFAULT_CLUSTER_SETTINGS, allowedHypervisors: Object.values(HypervisorDriver) };
  const parts = await openVirtApiParts({ client, settings, controlPlane, metrics: new MetricsRegistry() });
  stack.defer(plugVirtApi(server, parts));
}

import { join } from 'node:path';

import type { ApiServer } from '@smalt/apiserver';
import { openImageStore } from '@smalt/image-store';
import { follow, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { startPodRunner } from '@smalt/pod-runner';
import { startScheduler } from '@smalt/scheduler';
import { MetricsRegistry, type Logger } from '@smalt/service-runtime';
import { controlPlaneIn, openVirtApiParts, plugVirtApi } from '@smalt/virt-api';
import { startVirtController } from '@smalt/virt-controller';
import { localDrivers, NODE_API_DEFAULTS, startVirtHandler } from '@smalt/virt-handler';
import { DEFAULT_CLUSTER_SETTINGS } from '@smalt/vm-admission';

import { ownCommand } from '../own-command.ts';
import { MachineAccounts, SYSTEM_NAMESPACE } from './machine-accounts.ts';
import { usableDrivers } from './usable-drivers.ts';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

export interface MachineLayerOptions {
  readonly server: ApiServer;
  readonly stateDirectory: string;
  readonly nodeName: string;
  /** The libvirt of this machine: its socket, and where its `/run/libvirt` is. */
  readonly libvirt: { readonly socketPath: string; readonly runDirectory: string };
  readonly log: Logger;
}

/** What makes virtual machines run. Disposing of it stops it in order; guests run on. */
export interface MachineLayer extends AsyncDisposable {
  /** Resolves when all was told to stop and has; rejects when a part cannot go on. */
  readonly ended: Promise<void>;
}

/** Where the files of pods are, below the state directory. */
export function podsDirectoryIn(stateDirectory: string): string {
  return join(stateDirectory, 'pods');
}

/** Starts virt-api in the API server, and the controller, scheduler, pod runner and handler in this process. */
export async function startMachineLayer(options: MachineLayerOptions, signal: AbortSignal): Promise<MachineLayer> {
  const { server, stateDirectory, log, nodeName } = options;
  await using stack = new AsyncDisposableStack();
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  const client = stack.use(new KubeClient({ config, userAgent: 'smalt/0.1' }));
  const accounts = new MachineAccounts({ client, directory: join(stateDirectory, 'accounts'), log });
  await accounts.open(signal);
  await plugApi(server, accounts, { stack, signal });
  const own = async (name: string) => ({ kubeConfig: await accounts.join({ name }, signal), logger: log });
  const { words: smaltCommand, environment: launcherEnvironment } = ownCommand();
  const runner = stack.use(
    await startPodRunner(
      {
        ...(await own('smalt-pod-runner')),
        nodeName,
        smaltCommand,
        launcherEnvironment,
        podsDirectory: podsDirectoryIn(stateDirectory),
        images: openImageStore(join(stateDirectory, 'images')),
        volumesDirectory: join(stateDirectory, 'volumes'),
      },
      signal,
    ),
  );
  const scheduler = stack.use(await startScheduler(await own('smalt-scheduler'), signal));
  const controller = stack.use(await startVirtController(await own('smalt-virt-controller'), signal));
  const handler = stack.use(await startHandler(options, { client, accounts }, signal));
  const stop = new AbortController();
  const fresh = accounts.keepFresh(AbortSignal.any([signal, stop.signal]));
  stack.defer(async () => {
    stop.abort();
    await fresh;
  });
  const ended = Promise.all([runner.ended, scheduler.ended, controller.ended, handler.ended]).then(() => undefined);
  ended.catch(() => undefined);
  const owned = stack.move();
  return { ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function plugApi(
  server: ApiServer,
  accounts: MachineAccounts,
  { stack, signal }: { readonly stack: AsyncDisposableStack; readonly signal: AbortSignal },
): Promise<void> {
  const config = await accounts.join({ name: 'smalt-virt-api' }, signal);
  const client = stack.use(new KubeClient({ config, userAgent: 'smalt-virt-api/0.1' }));
  const controlPlane = controlPlaneIn(SYSTEM_NAMESPACE);
  const settings = DEFAULT_CLUSTER_SETTINGS;
  const parts = await openVirtApiParts({ client, settings, controlPlane, metrics: new MetricsRegistry() });
  stack.defer(plugVirtApi(server, parts));
}

async function startHandler(
  { stateDirectory, nodeName, libvirt, log }: MachineLayerOptions,
  { client, accounts }: { readonly client: KubeClient; readonly accounts: MachineAccounts },
  signal: AbortSignal,
): ReturnType<typeof startVirtHandler> {
  // Its token is bound to the Node, which the pod runner makes.
  await untilNode(client, nodeName, signal);
  const state = join(stateDirectory, 'virt-handler');
  return await startVirtHandler(
    {
      nodeName,
      kubeConfig: await accounts.join({ name: 'smalt-virt-handler', nodeName }, signal),
      logger: log,
      stateDirectory: state,
      podsDirectory: podsDirectoryIn(stateDirectory),
      drivers: await usableDrivers(localDrivers(libvirt), signal),
      nodeApi: { ...NODE_API_DEFAULTS, listen: '127.0.0.1:0', stateDirectory: join(state, 'node-api') },
    },
    signal,
  );
}

async function untilNode(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value: name }] };
  for await (const events of follow(client.resource(nodeKind), { fieldSelector, signal })) {
    if (events.some(({ type }) => type === 'ADDED' || type === 'MODIFIED')) return;
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSmaltApiServer, type SmaltApiServer, type SmaltProgram } from '@smalt/bed-kubernetes';
import { startHost, type BedHost } from '@smalt/bed-libvirt';
import { startSystemd } from '@smalt/bed-systemd';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { connect, type Connection } from '@smalt/libvirt';

import { ObjectWatch } from '../src/object-watch.ts';
import { installKinds } from './install-kinds.ts';
import { LifecycleClock } from './lifecycle-clock.ts';

/** What the agents are measured in: one host with real QEMU, one API server, one systemd. */
export interface AgentWorld extends AsyncDisposable {
  readonly host: BedHost;
  readonly api: SmaltApiServer;
  readonly client: KubeClient;
  /** The benchmark's own connection to the daemon of the host. */
  readonly libvirt: Connection;
  readonly lifecycle: LifecycleClock;
  readonly watch: ObjectWatch<Hypervisor>;
  readonly busPath: string;
  /** For logs, sockets and what agents keep. */
  readonly folder: string;
}

/** An agent looks at this unit before it connects to libvirt; the daemon itself is not run by systemd here. */
const LIBVIRTD_UNIT = '[Service]\nExecStart=/bin/sleep infinity\n';

/** Starts all of it, with no domains and no Hypervisor. */
export async function startAgentWorld(program: SmaltProgram, signal: AbortSignal): Promise<AgentWorld> {
  await using owner = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'smalt-agents-'));
  owner.defer(() => rm(folder, { recursive: true, force: true }));
  const machine = owner.use(await startSystemd({ units: { 'libvirtd.service': LIBVIRTD_UNIT }, signal }));
  await machine.systemctl(['start', 'libvirtd.service']);
  const host = owner.use(await startHost({ signal }));
  const libvirt = owner.use(await connect(`qemu+unix:///system?socket=${host.socketPath}`));
  const lifecycle = owner.use(await LifecycleClock.start(libvirt));
  const api = owner.use(await startSmaltApiServer({ program, signal }));
  const client = owner.use(await openClient(api.kubeconfig));
  await installKinds(client, signal);
  const watch = owner.use(new ObjectWatch(client, hypervisorKind));
  const owned = owner.move();
  const { busPath } = machine;
  const dispose = (): Promise<void> => owned.disposeAsync();
  return { host, api, client, libvirt, lifecycle, watch, busPath, folder, [Symbol.asyncDispose]: dispose };
}

/** A client for the API server of a kubeconfig. */
export async function openClient(kubeconfig: string): Promise<KubeClient> {
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  return new KubeClient({ config, userAgent: 'smalt-benchmark/1' });
}

import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SmaltProgram } from '@smalt/bed-kubernetes';
import type { TestDaemon } from '@smalt/bed-libvirt';

import { startFleetControllers } from './control/fleet-controllers.ts';
import { startFleetServer, type FleetServer } from './control/fleet-server.ts';
import { FleetHosts } from './hosts/fleet-hosts.ts';
import type { ProcessGroup } from './measure/process-costs.ts';
import type { ServerName } from './server-name.ts';

export interface FleetWorldOptions {
  readonly server: ServerName;
  readonly program: SmaltProgram;
  /** One for each host that there will ever be. */
  readonly daemons: readonly TestDaemon[];
  readonly signal: AbortSignal;
}

/** A control plane that has no hosts yet. */
export interface FleetWorld extends AsyncDisposable {
  readonly server: FleetServer;
  readonly hosts: FleetHosts;
  /** Throws when a controller has ended. */
  checkRunning(): Promise<void>;
  /** All processes that there are now. */
  groups(): readonly ProcessGroup[];
}

/** Starts the API server and the controllers, each a process of its own. */
export async function startFleetWorld(options: FleetWorldOptions): Promise<FleetWorld> {
  const { server: name, program, daemons, signal } = options;
  await using owner = new AsyncDisposableStack();
  // Short: the sockets of guests are below it.
  const { path: folder } = owner.use(await mkdtempDisposable(join(tmpdir(), 'fl-')));
  const server = owner.use(await startFleetServer({ name, program, signal }));
  const { kubeconfig, client } = server;
  const shared = { program, folder, kubeconfig, signal };
  const controllers = owner.use(
    await startFleetControllers({ ...shared, hosts: daemons.map(({ hostname }) => hostname) }),
  );
  const { url, secret, authorityFile } = controllers.haService;
  const task = { kubeconfig, folder, haService: { url, secret, authorityFile } };
  const hosts = owner.use(new FleetHosts({ client, task }));
  const pids = daemons.map(({ pid }) => pid ?? 0);
  const groups = (): readonly ProcessGroup[] => [
    ...server.groups,
    ...controllers.groups,
    hosts.group,
    { part: 'daemons', name: 'libvirtd', pids },
  ];
  const owned = owner.move();
  const checkRunning = (): Promise<void> => controllers.checkRunning();
  return { server, hosts, groups, checkRunning, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

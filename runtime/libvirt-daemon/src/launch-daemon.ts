import { daemonLogEnds, readDaemonLog } from './daemon-log.ts';
import { readDaemonRecord } from './daemon-record.ts';
import type { DaemonRecord } from './daemon-record.ts';
import { LibvirtDaemonError } from './error.ts';
import { explainFailure } from './explain-failure.ts';
import { findLibvirtd } from './find-libvirtd.ts';
import { layOutDaemon, libvirtdCommand, libvirtdEnvironment, LOOPBACK } from './lay-out-daemon.ts';
import { libvirtUri } from './libvirt-uri.ts';
import { socketPathIn } from './libvirtd-options.ts';
import type { LibvirtdOptions } from './libvirtd-options.ts';
import { spawnDetached } from './spawn-detached.ts';
import { waitUntilServed } from './wait-until-served.ts';

export interface LaunchOptions extends Pick<LibvirtdOptions, 'directory' | 'drivers' | 'qemu' | 'hostUuid' | 'limits'> {
  /** Where it takes orders over plain TCP, from whoever reaches it: for hosts behind a wall. Nowhere if not given. */
  readonly open?: { readonly address: string; readonly port: number } | undefined;
}

export interface Launch {
  /** The open file that locks the directory; the daemon inherits it. */
  readonly lock: number;
  /** Whether guests of an earlier daemon may run. */
  readonly keepsRun: boolean;
}

/** Starts a detached daemon in a locked directory and waits for its answer until the signal; one that is slow runs on. */
export async function launchDaemon(options: LaunchOptions, launch: Launch, signal: AbortSignal): Promise<DaemonRecord> {
  const { directory, drivers = 'all', open } = options;
  const program = await findLibvirtd(drivers);
  const layOut = { keepsRun: launch.keepsRun, tcpPort: open?.port };
  const bindMounts = await layOutDaemon({ ...options, tcp: false, address: open?.address }, layOut);
  const [, logEnd = 0] = await daemonLogEnds(directory);
  const socketPath = socketPathIn(directory);
  const { exited } = await spawnDetached({
    directory,
    uri: libvirtUri({ drivers, address: LOOPBACK, port: undefined, tlsPort: undefined }, socketPath),
    bindMounts,
    command: libvirtdCommand(program),
    environment: libvirtdEnvironment(options),
    inherited: launch.lock,
    outputFile: `${directory}/log/output.log`,
  });
  const stop = new AbortController();
  const served = waitUntilServed(socketPath, AbortSignal.any([signal, stop.signal])).catch(() => undefined);
  const status = await Promise.race([served, exited]);
  stop.abort();
  if (typeof status === 'number') throw explainFailure(await readDaemonLog(directory, { from: [0, logEnd] }), status);
  return await ownRecord(directory);
}

async function ownRecord(directory: string): Promise<DaemonRecord> {
  const record = await readDaemonRecord(directory);
  if (record !== undefined) return record;
  throw new LibvirtDaemonError('start-failed', `libvirtd did not say in ${directory} who it is`);
}

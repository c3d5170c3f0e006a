import { mkdir } from 'node:fs/promises';

import { isPortInUse, LibvirtDaemonError } from './error.ts';
import { findLibvirtd } from './find-libvirtd.ts';
import { layOutDaemon, libvirtdCommand, libvirtdEnvironment, LOOPBACK } from './lay-out-daemon.ts';
import { checkOptions } from './libvirtd-options.ts';
import type { LibvirtdOptions } from './libvirtd-options.ts';
import { Libvirtd } from './libvirtd.ts';
import { lockDirectory } from './lock-directory.ts';
import { Namespace } from './namespace.ts';
import { pickPort } from './pick-port.ts';

const START_TIMEOUT_MS = 30_000;
const PORT_ATTEMPTS = 5;

/** Starts a libvirtd in namespaces of its own and resolves once it answers calls; the machine's own is left alone. */
export async function startLibvirtd(options: LibvirtdOptions): Promise<Libvirtd> {
  checkOptions(options);
  for (let attempt = 1; ; attempt++) {
    const ports = await choosePorts(options);
    try {
      return await startOnce(options, ports);
    } catch (error) {
      if (!isPortInUse(error) || !ports.werePicked || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

interface Ports {
  readonly port: number | undefined;
  readonly tlsPort: number | undefined;
  /** Whether other ports may be tried when these turn out to be taken. */
  readonly werePicked: boolean;
}

async function choosePorts(options: LibvirtdOptions): Promise<Ports> {
  const address = options.address ?? LOOPBACK;
  const wishes = [
    options.tcp === false ? undefined : (options.tcp?.port ?? 0),
    options.tls ? (options.tls.port ?? 0) : undefined,
  ];
  const [port, tlsPort] = await Promise.all(
    wishes.map(async (wish) => (wish === 0 ? pickPort(options.ownNetwork === true ? LOOPBACK : address) : wish)),
  );
  return { port, tlsPort, werePicked: wishes.includes(0) };
}

async function startOnce(options: LibvirtdOptions, ports: Ports): Promise<Libvirtd> {
  if (options.signal?.aborted === true) {
    throw new LibvirtDaemonError('aborted', 'Starting libvirtd was given up', { cause: options.signal.reason });
  }
  const drivers = options.drivers ?? 'all';
  const libvirtd = await findLibvirtd(drivers);
  const namespace = await openNamespace(options, libvirtd, ports);
  const where = { drivers, address: options.address ?? LOOPBACK, port: ports.port, tlsPort: ports.tlsPort };
  const daemon = new Libvirtd(namespace, options.directory, where, options.startTimeoutMs ?? START_TIMEOUT_MS);
  try {
    await options.prepare?.(namespace.pid);
    await daemon.start(options.signal);
    return daemon;
  } catch (error) {
    await daemon.crash();
    throw error;
  }
}

async function openNamespace(options: LibvirtdOptions, libvirtd: string, ports: Ports): Promise<Namespace> {
  const { directory, hostname, ownNetwork } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // From here on the namespace holds the lock as well, and keeps it until its last process is gone.
  await using lock = await lockDirectory(directory);
  return await Namespace.open({
    hostname,
    ownNetwork,
    bindMounts: await layOutDaemon(options, { tcpPort: ports.port, tlsPort: ports.tlsPort, keepsRun: false }),
    inherited: lock.fd,
    command: libvirtdCommand(libvirtd),
    environment: libvirtdEnvironment(options),
    outputFile: `${directory}/log/output.log`,
  });
}

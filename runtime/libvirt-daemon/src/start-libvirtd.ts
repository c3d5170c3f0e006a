import { glob, mkdir, writeFile } from 'node:fs/promises';

import { isPortInUse, LibvirtDaemonError } from './error.ts';
import { findProgram } from './find-program.ts';
import { libvirtdConfig } from './libvirtd-config.ts';
import { checkOptions } from './libvirtd-options.ts';
import type { LibvirtdOptions } from './libvirtd-options.ts';
import { Libvirtd } from './libvirtd.ts';
import { lockDirectory } from './lock-directory.ts';
import { Namespace } from './namespace.ts';
import type { BindMount } from './namespace.ts';
import { pickPort } from './pick-port.ts';
import { lendHostName, lendQemuAccount, makeMountPoints, prepareDirectory } from './prepare-directory.ts';
import { qemuConfig } from './qemu-config.ts';
import { renderConfig } from './render-config.ts';

const LOOPBACK = '127.0.0.1';
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
  const libvirtd = await findProgram('libvirtd', 'libvirt-daemon');
  if (drivers === 'all') await requireQemuDriver();
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

/** Writes the configuration and tells what to mount where. */
async function layOut(options: LibvirtdOptions, ports: Ports): Promise<readonly BindMount[]> {
  const { directory, sasl, tls, limits, hostUuid } = options;
  const libvirtdText = renderConfig(
    libvirtdConfig({
      hostUuid,
      address: options.address ?? LOOPBACK,
      tcpPort: ports.port,
      tlsPort: ports.tlsPort,
      certificateDirectory: tls?.directory,
      sasl: sasl !== undefined,
      limits,
    }),
  );
  const qemuText = renderConfig(qemuConfig(options.qemu));
  const own = await prepareDirectory(directory);
  await writeFile(`${directory}/etc/libvirtd.conf`, libvirtdText);
  await writeFile(`${directory}/etc/qemu.conf`, qemuText);
  const account = options.drivers === 'test' ? [] : await lendQemuAccount(directory);
  const name = await lendHostName(directory, options.hostname);
  const saslMount = sasl ? [{ source: sasl.directory, target: '/etc/sasl2' }] : [];
  const mounts = [...own, ...account, ...name, ...saslMount, ...(options.bindMounts ?? [])];
  await makeMountPoints(mounts);
  return mounts;
}

async function openNamespace(options: LibvirtdOptions, libvirtd: string, ports: Ports): Promise<Namespace> {
  const { directory, hostname, ownNetwork } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // From here on the namespace holds the lock as well, and keeps it until its last process is gone.
  await using lock = await lockDirectory(directory);
  return await Namespace.open({
    hostname,
    ownNetwork,
    bindMounts: await layOut(options, ports),
    inherited: lock.fd,
    command: [
      libvirtd,
      '--listen',
      '--config',
      '/etc/libvirt/libvirtd.conf',
      '--pid-file',
      '/run/libvirt/libvirtd.pid',
    ],
    environment: options.drivers === 'test' ? { LIBVIRT_DRIVER_DIR: `${directory}/no-drivers` } : {},
    outputFile: `${directory}/log/output.log`,
  });
}

async function requireQemuDriver(): Promise<void> {
  for await (const found of glob('/usr/lib{,64}{,/*}/libvirt/connection-driver/libvirt_driver_qemu.so')) {
    if (found) return;
  }
  throw new LibvirtDaemonError(
    'missing-program',
    "libvirt's QEMU driver is missing: install the Debian package libvirt-daemon-driver-qemu",
  );
}

import { writeFile } from 'node:fs/promises';

import { libvirtdConfig } from './libvirtd-config.ts';
import type { LibvirtdOptions } from './libvirtd-options.ts';
import type { BindMount } from './namespace.ts';
import { lendHostName, lendQemuAccount, makeMountPoints, prepareDirectory } from './prepare-directory.ts';
import { qemuConfig } from './qemu-config.ts';
import { renderConfig } from './render-config.ts';

export const LOOPBACK = '127.0.0.1';

export interface LayOut {
  readonly tcpPort?: number | undefined;
  readonly tlsPort?: number | undefined;
  /** Whether guests of an earlier daemon may run, and be found by what it left in `run`. */
  readonly keepsRun: boolean;
}

/** Writes the configuration of a daemon into its locked directory and tells what to mount where. */
export async function layOutDaemon(options: LibvirtdOptions, layOut: LayOut): Promise<readonly BindMount[]> {
  const { directory, sasl, tls, limits, hostUuid } = options;
  const libvirtdText = renderConfig(
    libvirtdConfig({
      hostUuid,
      address: options.address ?? LOOPBACK,
      tcpPort: layOut.tcpPort,
      tlsPort: layOut.tlsPort,
      certificateDirectory: tls?.directory,
      sasl: sasl !== undefined,
      limits,
    }),
  );
  const qemuText = renderConfig(qemuConfig(options.qemu));
  const own = await prepareDirectory(directory, layOut.keepsRun);
  await writeFile(`${directory}/etc/libvirtd.conf`, libvirtdText);
  await writeFile(`${directory}/etc/qemu.conf`, qemuText);
  const account = options.drivers === 'test' ? [] : await lendQemuAccount(directory);
  const name = await lendHostName(directory, options.hostname);
  const saslMount = sasl ? [{ source: sasl.directory, target: '/etc/sasl2' }] : [];
  const mounts = [...own, ...account, ...name, ...saslMount, ...(options.bindMounts ?? [])];
  await makeMountPoints(mounts);
  return mounts;
}

/** What runs inside the mounts: the same in every directory. */
export function libvirtdCommand(program: string): readonly string[] {
  return [program, '--listen', '--config', '/etc/libvirt/libvirtd.conf', '--pid-file', '/run/libvirt/libvirtd.pid'];
}

/** Without drivers of its own libvirtd has its built-in test driver alone. */
export function libvirtdEnvironment({ drivers, directory }: LibvirtdOptions): Readonly<Record<string, string>> {
  return drivers === 'test' ? { LIBVIRT_DRIVER_DIR: `${directory}/no-drivers` } : {};
}

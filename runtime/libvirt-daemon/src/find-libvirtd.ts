import { glob } from 'node:fs/promises';

import { LibvirtDaemonError } from './error.ts';
import { findProgram } from './find-program.ts';

/** Finds libvirtd, or says which Debian package is missing: its own, or that of the driver for QEMU where it is wanted. */
export async function findLibvirtd(drivers: 'all' | 'test'): Promise<string> {
  const libvirtd = await findProgram('libvirtd', 'libvirt-daemon');
  if (drivers === 'all') await requireQemuDriver();
  return libvirtd;
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

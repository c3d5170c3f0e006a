import { findProgram } from '@smalt/libvirt-daemon';

/** Fails, naming the package, unless this machine can run x86 guests. */
export async function requireQemu(): Promise<void> {
  await findProgram('qemu-system-x86_64', 'qemu-system-x86');
  // libvirt asks it about every disk image.
  await findProgram('qemu-img', 'qemu-utils');
}

import { HypervisorDriver } from '@smalt/vm-api';

import type { Hypervisor } from '../hypervisor.ts';
import { mebibytes } from '../mebibytes.ts';
import { qemuKvm } from '../qemu-kvm/qemu-kvm.ts';
import { qemuIncapabilities } from './incapabilities.ts';

/** QEMU without hardware virtualization: runs everywhere, for any architecture, and slowly. */
export const qemu: Hypervisor = {
  ...qemuKvm,
  name: HypervisorDriver.qemu,
  description: 'QEMU with emulated processors',
  // Translated code is kept beside the guest's memory.
  overheads: { ...qemuKvm.overheads, processBytes: mebibytes(112) },
  device: undefined,
  virtualProcessorThread: /^CPU (\d+)\/TCG$/u,
  incapabilities: qemuIncapabilities,
  defaults: { ...qemuKvm.defaults, cpuModel: 'host-model' },
  domainType: 'qemu',
};

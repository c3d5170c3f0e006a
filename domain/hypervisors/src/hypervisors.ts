import { cloudHypervisor } from './cloud-hypervisor/cloud-hypervisor.ts';
import type { Hypervisor } from './hypervisor.ts';
import { lxc } from './lxc/lxc.ts';
import { qemuKvm } from './qemu-kvm/qemu-kvm.ts';
import { qemu } from './qemu/qemu.ts';
import { test } from './test/test.ts';

/** All drivers. A new one is a folder and a line here; the first is taken where an instance names none. */
export const hypervisors: readonly [Hypervisor, ...Hypervisor[]] = [qemuKvm, qemu, cloudHypervisor, lxc, test];

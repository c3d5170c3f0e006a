import type { VirtualMachineInstance } from '@smalt/vm-api';

import { DomainXmlError } from '../domain-xml-error.ts';

export interface Architecture {
  /** As Kubernetes calls it. */
  readonly name: 'amd64' | 'arm64' | 's390x';
  /** As libvirt calls it. */
  readonly libvirt: string;
  readonly machine: string;
}

const AMD64: Architecture = { name: 'amd64', libvirt: 'x86_64', machine: 'q35' };
const ARM64: Architecture = { name: 'arm64', libvirt: 'aarch64', machine: 'virt' };
const S390X: Architecture = { name: 's390x', libvirt: 's390x', machine: 's390-ccw-virtio' };

/** The architecture of an instance; amd64 when none is set. */
export function architectureOf(instance: VirtualMachineInstance): Architecture {
  const name = instance.spec.architecture ?? AMD64.name;
  const found = [AMD64, ARM64, S390X].find((architecture) => architecture.name === name);
  if (found) return found;
  const message = `there is no architecture "${name}"; use amd64, arm64 or s390x`;
  throw new DomainXmlError('invalid-field', message, { field: 'spec.architecture' });
}

/** The type of the machine that an instance asks for, or the usual one of its architecture. */
export function machineTypeOf(instance: VirtualMachineInstance): string {
  const asked = instance.spec.domain.machine?.type ?? '';
  return asked === '' ? architectureOf(instance).machine : asked;
}

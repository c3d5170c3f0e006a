import type { JsonObject } from '@smalt/json';

export interface InstanceOptions {
  readonly hypervisor: 'qemu' | 'test';
  /** Whether it has a card behind the NAT of its node. */
  readonly hasCard: boolean;
  /** The node that it has to be on; any if not given. */
  readonly nodeName?: string;
}

/** Instances that take little: no disk to boot from, so that the processors are left to those who start them. */
export function smallInstances(prefix: string, count: number, options: InstanceOptions): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => smallInstance(`${prefix}-${index + 1}`, options));
}

/** All of them in one file for kubectl. */
export function manifestOf(instances: readonly JsonObject[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: instances });
}

/** One of them. */
export function smallInstance(name: string, { hypervisor, hasCard, nodeName }: InstanceOptions): JsonObject {
  const devices = hasCard ? { interfaces: [{ name: 'default', masquerade: {} }] } : { autoattachPodInterface: false };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default' },
    spec: {
      hypervisor,
      terminationGracePeriodSeconds: 0,
      domain: { memory: { guest: '32Mi' }, devices },
      ...(nodeName === undefined ? {} : { nodeSelector: { 'kubernetes.io/hostname': nodeName } }),
      ...(hasCard ? { networks: [{ name: 'default', pod: {} }] } : {}),
    },
  };
}

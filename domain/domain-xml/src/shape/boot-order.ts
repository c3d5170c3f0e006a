import type { DomainInput } from '../domain-step.ts';

/** The place of a disk or interface in the boot order, if it has one. */
export type BootOrder = (list: 'disk' | 'interface', name: string) => number | undefined;

/**
 * Who boots when: what the instance says, and where the hypervisor requires it the rest behind, disks before interfaces.
 */
export function bootOrderOf({ instance, style }: DomainInput): BootOrder {
  const { disks = [], interfaces = [] } = instance.spec.domain.devices;
  const all = [
    ...disks.map(({ name, bootOrder }) => ({ key: `disk ${name}`, bootOrder })),
    ...interfaces.map(({ name, bootOrder }) => ({ key: `interface ${name}`, bootOrder })),
  ];
  const order = new Map(all.map(({ key, bootOrder }) => [key, bootOrder]));
  if (style.requiresBootOrder) {
    let last = Math.max(0, ...all.map(({ bootOrder = 0 }) => bootOrder));
    for (const { key, bootOrder } of all) if (bootOrder === undefined) order.set(key, ++last);
  }
  return (list, name) => order.get(`${list} ${name}`);
}

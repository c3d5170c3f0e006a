import { invalid, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

interface BootDevice {
  readonly field: string;
  readonly order: number;
}

/** Disks and interfaces share one order of booting, in which each place is taken once. */
export function validateBootOrder({ path, spec }: SpecScope): readonly Cause[] {
  const { disks = [], interfaces = [] } = spec.domain.devices;
  const nics = bootDevices(interfaces, `${path}.domain.devices.interfaces`);
  const tooLow = nics
    .filter(({ order }) => order < 1)
    .map(({ field }) => invalid(`${field}.bootOrder`, `${field} must have a boot order > 0, if supplied`));
  // Disks with an order below one are told of where disks are looked at.
  const usable = [...bootDevices(disks, `${path}.domain.devices.disks`), ...nics.filter(({ order }) => order >= 1)];
  return [...tooLow, ...repeatedOrders(usable)];
}

function repeatedOrders(devices: readonly BootDevice[]): readonly Cause[] {
  return devices.flatMap(({ field, order }, index) => {
    const isTaken = devices.slice(0, index).some((other) => other.order === order);
    const message = `Boot order for ${field}.bootOrder already set for a different device.`;
    return isTaken ? [invalid(`${field}.bootOrder`, message)] : [];
  });
}

function bootDevices(devices: readonly { readonly bootOrder?: number }[], list: string): readonly BootDevice[] {
  return devices.flatMap(({ bootOrder: order }, index) =>
    order === undefined ? [] : [{ field: `${list}[${index}]`, order }],
  );
}

import type { QuantitiesByName } from '@smalt/placement';
import { formatQuantity, quantityOfInteger } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { guestMemoryBytes, readBytes, readMilli, virtualProcessorCount } from './guest-size.ts';
import type { LauncherSettings } from './launcher-settings.ts';

export interface LauncherResources {
  readonly requests: QuantitiesByName;
  readonly limits: QuantitiesByName;
  /** The claims to devices that the container uses, by their names in the pod. */
  readonly claims?: readonly { readonly name: string; readonly request?: string }[];
}

const EPHEMERAL_STORAGE_BYTES = 50_000_000n;
const DEVICE_GROUP = 'devices.kubevirt.io';

/** What the pod of an instance asks for: processors, memory with the overhead of its driver, and devices. */
export function launcherResources(spec: VirtualMachineInstanceSpec, settings: LauncherSettings): LauncherResources {
  const cpu = processors(spec, settings);
  const memory = memoryOf(spec, settings);
  const { requests = {}, limits = {} } = spec.domain.resources ?? {};
  const devices = devicesOf(spec, settings);
  const storage = EPHEMERAL_STORAGE_BYTES + emptyDiskBytes(spec);
  const claims = claimsOf(spec);
  return {
    ...(claims.length === 0 ? {} : { claims }),
    requests: {
      ...others(requests),
      ...cpu.requests,
      ...memory.requests,
      'ephemeral-storage': withStorage(requests['ephemeral-storage'], storage),
      ...devices,
    },
    limits: {
      ...others(limits),
      ...cpu.limits,
      ...memory.limits,
      ...(limits['ephemeral-storage'] === undefined
        ? {}
        : { 'ephemeral-storage': withStorage(limits['ephemeral-storage'], storage) }),
      ...devices,
    },
  };
}

const COUNTED = new Set(['cpu', 'memory', 'ephemeral-storage']);

function others(quantities: QuantitiesByName): QuantitiesByName {
  return Object.fromEntries(Object.entries(quantities).filter(([name]) => !COUNTED.has(name)));
}

/** Disks that go with the instance grow up to their size on the node. How large an image is, nobody knows before it is there. */
function emptyDiskBytes({ volumes = [] }: VirtualMachineInstanceSpec): bigint {
  return volumes.reduce((sum, { emptyDisk }, index) => {
    const field = `spec.volumes[${index}].emptyDisk.capacity`;
    return emptyDisk === undefined ? sum : sum + readBytes(emptyDisk.capacity, field);
  }, 0n);
}

function withStorage(quantity: number | string | undefined, added: bigint): string {
  const field = 'spec.domain.resources.ephemeral-storage';
  const asked = quantity === undefined ? 0n : readBytes(quantity, field);
  return formatQuantity(quantityOfInteger(asked + added));
}

function processors(
  spec: VirtualMachineInstanceSpec,
  { cpuAllocationRatio = 10 }: LauncherSettings,
): LauncherResources {
  const { cpu, resources, ioThreads } = spec.domain;
  const threads = virtualProcessorCount(spec) + (ioThreads?.supplementalPoolThreadCount ?? 0);
  if (cpu?.dedicatedCpuPlacement === true) {
    // One more for what the emulator itself does, so that it does not take time from the guest.
    const whole = String(threads + (cpu.isolateEmulatorThread === true ? 1 : 0));
    return { requests: { cpu: whole }, limits: { cpu: whole } };
  }
  const request = resources?.requests?.['cpu'];
  const limit = resources?.limits?.['cpu'];
  const milli =
    request === undefined
      ? Math.max(1, Math.floor((threads * 1000) / cpuAllocationRatio))
      : readMilli(request, 'spec.domain.resources.requests.cpu');
  return { requests: { cpu: `${milli}m` }, limits: limit === undefined ? {} : { cpu: String(limit) } };
}

function memoryOf(spec: VirtualMachineInstanceSpec, settings: LauncherSettings): LauncherResources {
  const { memory, resources, cpu } = spec.domain;
  const guest = guestMemoryBytes(spec) ?? 0n;
  const request = resources?.requests?.['memory'] ?? resources?.limits?.['memory'];
  const percent = BigInt(settings.memoryOvercommitPercent ?? 100);
  const base =
    request === undefined ? (guest * 100n) / percent : readBytes(request, 'spec.domain.resources.requests.memory');
  const overhead = resources?.overcommitGuestOverhead === true ? 0n : settings.driver.overheadBytes;
  const pageSize = memory?.hugepages?.pageSize;
  if (pageSize !== undefined) return hugepages(pageSize, { base, guest, overhead });
  const requested = bytes(base + overhead);
  const limit = resources?.limits?.['memory'];
  const limited =
    limit === undefined ? undefined : bytes(readBytes(limit, 'spec.domain.resources.limits.memory') + overhead);
  const atMost = cpu?.dedicatedCpuPlacement === true ? requested : limited;
  return { requests: { memory: requested }, limits: atMost === undefined ? {} : { memory: atMost } };
}

interface MemoryAmounts {
  readonly base: bigint;
  readonly guest: bigint;
  readonly overhead: bigint;
}

/**
 * Pages for the guest, plain memory for the rest: pages cannot be used for anything else. Of pages the guest takes all at its start,
 * whatever was asked for.
 */
function hugepages(pageSize: string, { base, guest, overhead }: MemoryAmounts): LauncherResources {
  const page = readBytes(pageSize, 'spec.domain.memory.hugepages.pageSize');
  const whole = page > 0n ? ((guest + page - 1n) / page) * page : guest;
  const pages = { [`hugepages-${pageSize}`]: bytes(whole) };
  const memory = bytes(overhead + (base > guest ? base - guest : 0n));
  return { requests: { ...pages, memory }, limits: { ...pages, memory } };
}

function claimsOf({ domain }: VirtualMachineInstanceSpec): NonNullable<LauncherResources['claims']> {
  const { gpus = [], hostDevices = [] } = domain.devices;
  return [...gpus, ...hostDevices].flatMap(({ claimName, requestName }) =>
    claimName === undefined
      ? []
      : [{ name: claimName, ...(requestName === undefined ? {} : { request: requestName }) }],
  );
}

function devicesOf({ domain }: VirtualMachineInstanceSpec, { driver }: LauncherSettings): QuantitiesByName {
  const { interfaces = [], gpus = [], hostDevices = [], autoattachVSOCK } = domain.devices;
  const hasTap = interfaces.some(({ masquerade, bridge }) => masquerade !== undefined || bridge !== undefined);
  const hasVirtio = hasTap && interfaces.some(({ model }) => model === undefined || model === 'virtio');
  const names = [
    ...(driver.device === undefined ? [] : [`${DEVICE_GROUP}/${driver.device}`]),
    ...(hasTap ? [`${DEVICE_GROUP}/tun`] : []),
    ...(hasVirtio && driver.device !== undefined ? [`${DEVICE_GROUP}/vhost-net`] : []),
    ...(autoattachVSOCK === true ? [`${DEVICE_GROUP}/vhost-vsock`] : []),
    ...(domain.launchSecurity?.sev === undefined && domain.launchSecurity?.snp === undefined
      ? []
      : [`${DEVICE_GROUP}/sev`]),
    ...(domain.launchSecurity?.tdx === undefined ? [] : [`${DEVICE_GROUP}/tdx`]),
    ...[...gpus, ...hostDevices].flatMap(({ deviceName }) => deviceName ?? []),
  ];
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].map(([name, count]) => [name, String(count)]));
}

function bytes(amount: bigint): string {
  return formatQuantity(quantityOfInteger(amount, 'BinarySI'));
}

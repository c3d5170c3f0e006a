import { attribute, child, findAll, textContent, type XmlElement } from '@smalt/xml';

import type { VcpuGroup } from './guest-part.ts';
import { ownText } from './own-text.ts';
import { readCount } from './read-count.ts';

// libvirt's own drivers stop far below; a wrong number must not cost its size.
const MOST_VCPUS = 16_384;

/** The vCPUs that are plugged into a guest, and where they are pinned to. */
export interface GuestVcpus {
  readonly online: readonly number[];
  readonly pins: ReadonlyMap<number, string>;
  /** For those without a pin of their own. */
  readonly cpuset: string | undefined;
}

/** Reads the vCPUs of a domain. `total` stands in for a number that cannot be read. */
export function readGuestVcpus(root: XmlElement, total: number | undefined, notes: Set<string>): GuestVcpus {
  const pins = new Map<number, string>();
  for (const pin of findAll(root, 'cputune/vcpupin')) {
    const vcpu = readCount(attribute(pin, 'vcpu'), MOST_VCPUS);
    const cpuset = attribute(pin, 'cpuset');
    if (vcpu === undefined || cpuset === undefined) notes.add('a <vcpupin> names no vCPU or no CPUs');
    else pins.set(vcpu, cpuset);
  }
  const element = child(root, 'vcpu');
  const count = readVcpuCount(element, notes) ?? total ?? Math.max(pins.size, 1);
  return { online: readOnline(root, count), pins, cpuset: element && attribute(element, 'cpuset') };
}

/** The vCPUs by their pins, those without any last. */
export function groupVcpus(ids: readonly number[], { pins, cpuset }: GuestVcpus): readonly VcpuGroup[] {
  const counts = new Map<string | undefined, number>();
  for (const id of ids) {
    const own = pins.get(id) ?? cpuset;
    counts.set(own, (counts.get(own) ?? 0) + 1);
  }
  return [...counts].map(([set, count]) => ({ count, cpuset: set }));
}

function readVcpuCount(element: XmlElement | undefined, notes: Set<string>): number | undefined {
  const text = element && textContent(element);
  const maximum = readCount(text, MOST_VCPUS);
  if (maximum === undefined) {
    notes.add(element ? `<vcpu> cannot be read: '${ownText(text)}'` : '<vcpu> is missing');
    return undefined;
  }

  const current = element && attribute(element, 'current');
  const plugged = readCount(current, maximum);
  if (current !== undefined && plugged === undefined) {
    notes.add(`the current number of vCPUs cannot be read: '${ownText(current)}'`);
  }
  return plugged ?? maximum;
}

// Without a list of their own, vCPUs are plugged in from the first one on.
function readOnline(root: XmlElement, count: number): readonly number[] {
  const listed = findAll(root, 'vcpus/vcpu')
    .filter((vcpu) => attribute(vcpu, 'enabled') === 'yes')
    .flatMap((vcpu) => readCount(attribute(vcpu, 'id'), MOST_VCPUS) ?? []);
  const online = new Set(listed);
  if (online.size === count) return [...online].toSorted((left, right) => left - right);
  return Array.from({ length: count }, (_, id) => id);
}

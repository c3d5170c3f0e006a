import { element, printXml, type XmlElement } from '@smalt/xml';

/** What a guest can read of its host. */
export interface HostMetrics {
  readonly hostName: string;
  readonly cpus: number;
  readonly freeMemoryKiB: number;
  readonly totalMemoryKiB: number;
  readonly seconds: number;
}

const SIGNATURE = 'mvbd';
const HEADER_BYTES = 16;
export const METRICS_DISK_BYTES: number = 1 << 20;

/** A disk in the form of vhostmd, which the tools in guests know: a header, and a text in XML. */
export function metricsDisk(metrics: HostMetrics): Uint8Array {
  const text = Buffer.from(printXml(metricsElement(metrics)));
  const disk = Buffer.alloc(HEADER_BYTES + text.length);
  text.copy(disk, HEADER_BYTES);
  disk.write(SIGNATURE, 0, 'latin1');
  disk.writeUInt32BE(
    text.reduce((sum, byte) => (sum + byte) >>> 0, 0),
    8,
  );
  disk.writeUInt32BE(text.length, 12);
  return disk;
}

function metricsElement(metrics: HostMetrics): XmlElement {
  return element('metrics', {}, [
    entry('HostName', 'string', metrics.hostName),
    entry('HostSystemInfo', 'string', 'linux'),
    entry('VirtualizationVendor', 'string', 'Smalt'),
    entry('NumberOfPhysicalCPUs', 'int64', metrics.cpus),
    entry('MemoryFreeToVirtualMachines', 'uint64', metrics.freeMemoryKiB),
    entry('TotalMemory', 'uint64', metrics.totalMemoryKiB),
    entry('Time', 'int64', metrics.seconds),
  ]);
}

function entry(name: string, type: string, value: string | number): XmlElement {
  const children = [element('name', {}, [name]), element('value', {}, [String(value)])];
  return element('metric', { type, context: 'host' }, children);
}

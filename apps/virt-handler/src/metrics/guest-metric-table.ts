import type { TypedParameters } from '@smalt/libvirt';

/** Takes one number out of the statistics of a guest; nothing if libvirt did not tell it. */
type Reading = (statistics: TypedParameters, prefix: string) => number | undefined;

/** One metric of a guest, or of a part of it. The names are those that dashboards for KubeVirt ask for. */
export interface GuestMetric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge';
  readonly help: string;
  readonly read: Reading;
}

/** Metrics with the same labels. All have `node`, `namespace` and `name`. */
export interface GuestMetricGroup {
  /** What they are of: the guest itself, or each of its processors, disks or interfaces, which libvirt numbers. */
  readonly of: 'domain' | 'vcpu' | 'block' | 'net';
  /** The label that names the part. */
  readonly label: string | undefined;
  readonly metrics: readonly GuestMetric[];
}

const KIBIBYTE = 1_024;
const SECOND_IN_NANOSECONDS = 1e-9;

export const GUEST_METRICS: readonly GuestMetricGroup[] = [
  {
    of: 'domain',
    label: undefined,
    metrics: [
      counter('cpu_usage_seconds_total', 'Processor time, user and system.', at('cpu.time', SECOND_IN_NANOSECONDS)),
      counter('cpu_user_usage_seconds_total', 'Processor time in user mode.', at('cpu.user', SECOND_IN_NANOSECONDS)),
      counter(
        'cpu_system_usage_seconds_total',
        'Processor time in the kernel.',
        at('cpu.system', SECOND_IN_NANOSECONDS),
      ),
      gauge('memory_domain_bytes', 'Memory that the guest may have.', at('balloon.maximum', KIBIBYTE)),
      gauge('memory_actual_balloon_bytes', 'Memory that its balloon leaves it.', at('balloon.current', KIBIBYTE)),
      gauge('memory_available_bytes', 'Memory as the guest sees it.', at('balloon.available', KIBIBYTE)),
      gauge('memory_unused_bytes', 'Memory that the guest does not use at all.', at('balloon.unused', KIBIBYTE)),
      gauge('memory_usable_bytes', 'Memory the guest could give without swapping.', at('balloon.usable', KIBIBYTE)),
      gauge('memory_cached_bytes', 'Memory the guest could take from caches.', at('balloon.disk_caches', KIBIBYTE)),
      gauge('memory_resident_bytes', 'Memory of the node that its process holds.', at('balloon.rss', KIBIBYTE)),
      gauge('memory_swap_in_traffic_bytes', 'Data read from swap.', at('balloon.swap_in', KIBIBYTE)),
      gauge('memory_swap_out_traffic_bytes', 'Data written to swap.', at('balloon.swap_out', KIBIBYTE)),
      counter('memory_pgmajfault_total', 'Page faults with I/O.', at('balloon.major_fault')),
      counter('memory_pgminfault_total', 'Page faults without I/O.', at('balloon.minor_fault')),
    ],
  },
  {
    of: 'vcpu',
    label: 'id',
    metrics: [
      counter('vcpu_seconds_total', 'Time that a processor of the guest ran.', at('time', SECOND_IN_NANOSECONDS)),
      counter('vcpu_wait_seconds_total', 'Time that it waited for I/O.', at('wait', SECOND_IN_NANOSECONDS)),
      counter('vcpu_delay_seconds_total', 'Time that it waited for its turn.', at('delay', SECOND_IN_NANOSECONDS)),
    ],
  },
  {
    of: 'net',
    label: 'interface',
    metrics: [
      counter('network_receive_bytes_total', 'Bytes that the guest got.', at('rx.bytes')),
      counter('network_receive_packets_total', 'Packets that the guest got.', at('rx.pkts')),
      counter('network_receive_packets_dropped_total', 'Packets to the guest that were dropped.', at('rx.drop')),
      counter('network_receive_errors_total', 'Packets to the guest with errors.', at('rx.errs')),
      counter('network_transmit_bytes_total', 'Bytes that the guest sent.', at('tx.bytes')),
      counter('network_transmit_packets_total', 'Packets that the guest sent.', at('tx.pkts')),
      counter('network_transmit_packets_dropped_total', 'Packets of the guest that were dropped.', at('tx.drop')),
      counter('network_transmit_errors_total', 'Packets of the guest with errors.', at('tx.errs')),
    ],
  },
  {
    of: 'block',
    label: 'drive',
    metrics: [
      counter('storage_iops_read_total', 'Reads.', at('rd.reqs')),
      counter('storage_iops_write_total', 'Writes.', at('wr.reqs')),
      counter('storage_read_traffic_bytes_total', 'Bytes read.', at('rd.bytes')),
      counter('storage_write_traffic_bytes_total', 'Bytes written.', at('wr.bytes')),
      counter('storage_read_times_seconds_total', 'Time that reads took.', at('rd.times', SECOND_IN_NANOSECONDS)),
      counter('storage_write_times_seconds_total', 'Time that writes took.', at('wr.times', SECOND_IN_NANOSECONDS)),
      counter('storage_flush_requests_total', 'Flushes.', at('fl.reqs')),
      counter('storage_flush_times_seconds_total', 'Time that flushes took.', at('fl.times', SECOND_IN_NANOSECONDS)),
    ],
  },
];

function counter(name: string, help: string, read: Reading): GuestMetric {
  return { name: `kubevirt_vmi_${name}`, kind: 'counter', help, read };
}

function gauge(name: string, help: string, read: Reading): GuestMetric {
  return { name: `kubevirt_vmi_${name}`, kind: 'gauge', help, read };
}

function at(field: string, factor = 1): Reading {
  return (statistics, prefix) => {
    const value = numberAt(statistics, prefix + field);
    return value === undefined ? undefined : value * factor;
  };
}

/** A field that is a number, of whatever width. */
export function numberAt(statistics: TypedParameters, field: string): number | undefined {
  const value = statistics[field];
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

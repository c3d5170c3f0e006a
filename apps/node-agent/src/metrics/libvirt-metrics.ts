import { kibibytes, nanoseconds, plain, usedPercent, type MetricReading } from './metric-reading.ts';

/** One metric of a domain, or of a part of a domain. */
export interface LibvirtMetric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge';
  readonly help: string;
  readonly read: MetricReading;
}

/** Metrics with the same labels. All have `domain` and `uuid`. */
export interface LibvirtMetricGroup {
  /** What they are of: the domain itself, or each of its vCPUs, disks or interfaces, which libvirt numbers. */
  readonly of: 'domain' | 'vcpu' | 'block' | 'net';
  /** The further label, which names the vCPU, disk or interface. */
  readonly label?: string;
  readonly metrics: readonly LibvirtMetric[];
}

const DOMAIN: LibvirtMetricGroup = {
  of: 'domain',
  metrics: [
    gauge('libvirt_domain_info_vcpus', 'Number of vCPUs of the domain that are online.', plain('vcpu.current')),
    gauge('libvirt_domain_info_memory_bytes', 'Memory the domain has been given.', kibibytes('balloon.current')),
    gauge('libvirt_domain_memory_usage_bytes', 'Memory of the host that the domain takes.', kibibytes('balloon.rss')),
    gauge(
      'libvirt_domain_info_vstate',
      'State of the domain: 0 none, 1 running, 2 blocked, 3 paused, 4 shutting down, 5 shut off, 6 crashed, 7 suspended by its guest.',
      plain('state.state'),
    ),
    counter('libvirt_domain_info_cpu_time_seconds_total', 'CPU time of the domain.', nanoseconds('cpu.time')),
    gauge('libvirt_domain_info_virtual_cpus', 'Number of vCPUs of the domain.', plain('vcpu.current')),
    gauge('libvirt_domain_info_maximum_memory_bytes', 'Most memory it may have.', kibibytes('balloon.maximum')),
    gauge('libvirt_domain_info_memory_usage_bytes', 'Memory it has been given.', kibibytes('balloon.current')),
    gauge('libvirt_domain_vcpu_current', 'Number of vCPUs that are online.', plain('vcpu.current')),
    gauge('libvirt_domain_vcpu_maximum', 'Most vCPUs the domain may have.', plain('vcpu.maximum')),
  ],
};

const MEMORY: LibvirtMetricGroup = {
  of: 'domain',
  metrics: [
    memory('actual_balloon_bytes', 'Size of the balloon.', kibibytes('balloon.current')),
    memory('available_bytes', 'Memory as the guest sees it.', kibibytes('balloon.available')),
    memory('unused_bytes', 'Memory the guest does not use at all.', kibibytes('balloon.unused')),
    memory('usable_bytes', 'Memory the guest could give without swapping.', kibibytes('balloon.usable')),
    memory('disk_cache_bytes', 'Memory the guest could take back from caches.', kibibytes('balloon.disk_caches')),
    memory('rss_bytes', 'Memory of the host that the process of the domain holds.', kibibytes('balloon.rss')),
    memory('swap_in_bytes', 'Data the guest has read from swap.', kibibytes('balloon.swap_in')),
    memory('swap_out_bytes', 'Data the guest has written to swap.', kibibytes('balloon.swap_out')),
    memory('used_percent', 'Part of its memory that the guest uses.', (all) => usedPercent(all, 'balloon.')),
    counter('libvirt_domain_memory_stats_major_fault_total', 'Page faults with I/O.', plain('balloon.major_fault')),
    counter('libvirt_domain_memory_stats_minor_fault_total', 'Page faults without I/O.', plain('balloon.minor_fault')),
  ],
};

const VCPU: LibvirtMetricGroup = {
  of: 'vcpu',
  label: 'vcpu',
  metrics: [
    counter('libvirt_domain_vcpu_time_seconds_total', 'CPU time of the vCPU.', nanoseconds('time')),
    counter('libvirt_domain_vcpu_wait_seconds_total', 'Time the vCPU waited for I/O.', nanoseconds('wait')),
    counter(
      'libvirt_domain_vcpu_delay_seconds_total',
      'Time the vCPU could have run while the host ran others; its guest sees it as steal time.',
      nanoseconds('delay'),
    ),
    gauge('libvirt_domain_vcpu_state', 'State of the vCPU: 0 offline, 1 running, 2 blocked.', plain('state')),
  ],
};

const BLOCK: LibvirtMetricGroup = { of: 'block', label: 'device', metrics: blockTraffic('libvirt_domain_block') };

const BLOCK_STATISTICS: LibvirtMetricGroup = {
  of: 'block',
  label: 'target_device',
  metrics: [
    ...blockTraffic('libvirt_domain_block_stats'),
    counter('libvirt_domain_block_stats_read_time_seconds_total', 'Time spent on reads.', nanoseconds('rd.times')),
    counter('libvirt_domain_block_stats_write_time_seconds_total', 'Time spent on writes.', nanoseconds('wr.times')),
    counter('libvirt_domain_block_stats_flush_requests_total', 'Requests to flush.', plain('fl.reqs')),
    counter('libvirt_domain_block_stats_flush_time_seconds_total', 'Time spent on flushes.', nanoseconds('fl.times')),
    gauge('libvirt_domain_block_stats_allocation', 'End of what was written last.', plain('allocation')),
    gauge('libvirt_domain_block_stats_capacity_bytes', 'Size as the guest sees it.', plain('capacity')),
    gauge('libvirt_domain_block_stats_physicalsize_bytes', 'Size of the image on the host.', plain('physical')),
  ],
};

const NET: LibvirtMetricGroup = { of: 'net', label: 'interface', metrics: netTraffic('libvirt_domain_net') };

const INTERFACE_STATISTICS: LibvirtMetricGroup = {
  of: 'net',
  label: 'target_device',
  metrics: netTraffic('libvirt_domain_interface_stats'),
};

/**
 * What is told of every domain that runs. The names are those of the documentation of CobaltCore, and beside them those
 * of the exporters that dashboards were made for; they differ in the label of disks and interfaces.
 */
export const LIBVIRT_METRICS: readonly LibvirtMetricGroup[] = [
  DOMAIN,
  MEMORY,
  VCPU,
  BLOCK,
  BLOCK_STATISTICS,
  NET,
  INTERFACE_STATISTICS,
];

function blockTraffic(prefix: string): readonly LibvirtMetric[] {
  return [
    counter(`${prefix}_read_bytes_total`, 'Bytes read from the disk.', plain('rd.bytes')),
    counter(`${prefix}_read_requests_total`, 'Requests to read from the disk.', plain('rd.reqs')),
    counter(`${prefix}_write_bytes_total`, 'Bytes written to the disk.', plain('wr.bytes')),
    counter(`${prefix}_write_requests_total`, 'Requests to write to the disk.', plain('wr.reqs')),
  ];
}

function netTraffic(prefix: string): readonly LibvirtMetric[] {
  return [
    counter(`${prefix}_receive_bytes_total`, 'Bytes the guest has received.', plain('rx.bytes')),
    counter(`${prefix}_receive_packets_total`, 'Packets the guest has received.', plain('rx.pkts')),
    counter(`${prefix}_receive_errors_total`, 'Packets that were received with an error.', plain('rx.errs')),
    counter(`${prefix}_receive_drops_total`, 'Packets for the guest that were dropped.', plain('rx.drop')),
    counter(`${prefix}_transmit_bytes_total`, 'Bytes the guest has sent.', plain('tx.bytes')),
    counter(`${prefix}_transmit_packets_total`, 'Packets the guest has sent.', plain('tx.pkts')),
    counter(`${prefix}_transmit_errors_total`, 'Packets that could not be sent.', plain('tx.errs')),
    counter(`${prefix}_transmit_drops_total`, 'Packets of the guest that were dropped.', plain('tx.drop')),
  ];
}

function memory(name: string, help: string, read: MetricReading): LibvirtMetric {
  return gauge(`libvirt_domain_memory_stats_${name}`, help, read);
}

function counter(name: string, help: string, read: MetricReading): LibvirtMetric {
  return { name, kind: 'counter', help, read };
}

function gauge(name: string, help: string, read: MetricReading): LibvirtMetric {
  return { name, kind: 'gauge', help, read };
}

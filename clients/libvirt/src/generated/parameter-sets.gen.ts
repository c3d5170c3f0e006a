// Written by 'npm run generate' from clients/libvirt/schema. Change the schema or the generator instead.

import type { TypedParameterTypes } from '../typed-parameters.ts';

export interface DomainSchedulerParameters {
  readonly cpu_shares: bigint;
  readonly global_period: bigint;
  readonly global_quota: bigint;
  readonly vcpu_period: bigint;
  readonly vcpu_quota: bigint;
  readonly emulator_period: bigint;
  readonly emulator_quota: bigint;
  readonly iothread_period: bigint;
  readonly iothread_quota: bigint;
  readonly weight: number;
  readonly cap: number;
  readonly reservation: bigint;
  readonly limit: bigint;
  readonly shares: number;
}

export interface DomainBlkioParameters {
  readonly weight: number;
  readonly device_weight: string;
  readonly device_read_iops_sec: string;
  readonly device_write_iops_sec: string;
  readonly device_read_bytes_sec: string;
  readonly device_write_bytes_sec: string;
}

export interface DomainMemoryParameters {
  readonly hard_limit: bigint;
  readonly soft_limit: bigint;
  readonly min_guarantee: bigint;
  readonly swap_hard_limit: bigint;
}

export interface DomainNumaParameters {
  readonly numa_nodeset: string;
  readonly numa_mode: number;
}

export interface DomainPerfEventsParameters {
  readonly cmt: boolean;
  readonly mbmt: boolean;
  readonly mbml: boolean;
  readonly cache_misses: boolean;
  readonly cache_references: boolean;
  readonly instructions: boolean;
  readonly cpu_cycles: boolean;
  readonly branch_instructions: boolean;
  readonly branch_misses: boolean;
  readonly bus_cycles: boolean;
  readonly stalled_cycles_frontend: boolean;
  readonly stalled_cycles_backend: boolean;
  readonly ref_cpu_cycles: boolean;
  readonly cpu_clock: boolean;
  readonly task_clock: boolean;
  readonly page_faults: boolean;
  readonly context_switches: boolean;
  readonly cpu_migrations: boolean;
  readonly page_faults_min: boolean;
  readonly page_faults_maj: boolean;
  readonly alignment_faults: boolean;
  readonly emulation_faults: boolean;
}

export interface DomainBlockStatsParameters {
  readonly rd_bytes: bigint;
  readonly rd_operations: bigint;
  readonly rd_total_times: bigint;
  readonly wr_bytes: bigint;
  readonly wr_operations: bigint;
  readonly wr_total_times: bigint;
  readonly flush_operations: bigint;
  readonly flush_total_times: bigint;
  readonly errs: bigint;
}

export interface DomainInterfaceParameters {
  readonly 'inbound.average': number;
  readonly 'inbound.peak': number;
  readonly 'inbound.burst': number;
  readonly 'inbound.floor': number;
  readonly 'outbound.average': number;
  readonly 'outbound.peak': number;
  readonly 'outbound.burst': number;
}

export interface DomainSaveParameters {
  readonly file: string;
  readonly dxml: string;
  readonly image_format: string;
  readonly 'parallel.channels': number;
}

export interface DomainIothreadParameters {
  readonly poll_max_ns: bigint;
  readonly poll_grow: number | bigint;
  readonly poll_shrink: number | bigint;
  readonly poll_weight: number;
  readonly thread_pool_min: number;
  readonly thread_pool_max: number;
}

export interface DomainBlockCopyParameters {
  readonly bandwidth: bigint;
  readonly granularity: number;
  readonly 'buf-size': bigint;
}

export interface DomainBlockIoTuneParameters {
  readonly total_bytes_sec: bigint;
  readonly read_bytes_sec: bigint;
  readonly write_bytes_sec: bigint;
  readonly total_iops_sec: bigint;
  readonly read_iops_sec: bigint;
  readonly write_iops_sec: bigint;
  readonly total_bytes_sec_max: bigint;
  readonly read_bytes_sec_max: bigint;
  readonly write_bytes_sec_max: bigint;
  readonly total_iops_sec_max: bigint;
  readonly read_iops_sec_max: bigint;
  readonly write_iops_sec_max: bigint;
  readonly total_bytes_sec_max_length: bigint;
  readonly read_bytes_sec_max_length: bigint;
  readonly write_bytes_sec_max_length: bigint;
  readonly total_iops_sec_max_length: bigint;
  readonly read_iops_sec_max_length: bigint;
  readonly write_iops_sec_max_length: bigint;
  readonly size_iops_sec: bigint;
  readonly group_name: string;
}

export interface DomainCpuStatsParameters {
  readonly cpu_time: bigint;
  readonly user_time: bigint;
  readonly system_time: bigint;
  readonly vcpu_time: bigint;
}

export interface DomainJobStatsParameters {
  readonly operation: number;
  readonly time_elapsed: bigint;
  readonly time_elapsed_net: bigint;
  readonly time_remaining: bigint;
  readonly downtime: bigint;
  readonly downtime_net: bigint;
  readonly setup_time: bigint;
  readonly data_total: bigint;
  readonly data_processed: bigint;
  readonly data_remaining: bigint;
  readonly memory_total: bigint;
  readonly memory_processed: bigint;
  readonly memory_remaining: bigint;
  readonly memory_constant: bigint;
  readonly memory_normal: bigint;
  readonly memory_normal_bytes: bigint;
  readonly memory_bps: bigint;
  readonly memory_dirty_rate: bigint;
  readonly memory_page_size: bigint;
  readonly memory_iteration: bigint;
  readonly memory_postcopy_requests: bigint;
  readonly disk_total: bigint;
  readonly disk_processed: bigint;
  readonly disk_remaining: bigint;
  readonly disk_bps: bigint;
  readonly compression_cache: bigint;
  readonly compression_bytes: bigint;
  readonly compression_pages: bigint;
  readonly compression_cache_misses: bigint;
  readonly compression_overflow: bigint;
  readonly auto_converge_throttle: number;
  readonly success: boolean;
  readonly errmsg: string;
  readonly disk_temp_used: bigint;
  readonly disk_temp_total: bigint;
  readonly vfio_data_transferred: bigint;
}

export interface DomainMigrateParameters {
  readonly migrate_uri: string;
  readonly destination_name: string;
  readonly destination_xml: string;
  readonly persistent_xml: string;
  readonly bandwidth: bigint;
  readonly 'bandwidth.postcopy': bigint;
  readonly 'bandwidth.avail.switchover': bigint;
  readonly graphics_uri: string;
  readonly listen_address: string;
  readonly migrate_disks: readonly string[];
  readonly migrate_disks_detect_zeroes: readonly string[];
  readonly migrate_disks_target_zero: readonly string[];
  readonly disks_port: number;
  readonly disks_uri: string;
  readonly compression: readonly string[];
  readonly 'compression.mt.level': number;
  readonly 'compression.mt.threads': number;
  readonly 'compression.mt.dthreads': number;
  readonly 'compression.xbzrle.cache': bigint;
  readonly 'compression.zlib.level': number;
  readonly 'compression.zstd.level': number;
  readonly 'auto_converge.initial': number;
  readonly 'auto_converge.increment': number;
  readonly 'parallel.connections': number;
  readonly 'tls.destination': string;
}

export interface DomainTunableParameters {
  readonly [field: `cputune.vcpupin${number}`]: string;
  readonly 'cputune.emulatorpin': string;
  readonly [field: `cputune.iothreadpin${number}`]: string;
  readonly 'cputune.cpu_shares': bigint;
  readonly 'cputune.global_period': bigint;
  readonly 'cputune.global_quota': bigint;
  readonly 'cputune.vcpu_period': bigint;
  readonly 'cputune.vcpu_quota': bigint;
  readonly 'cputune.emulator_period': bigint;
  readonly 'cputune.emulator_quota': bigint;
  readonly 'cputune.iothread_period': bigint;
  readonly 'cputune.iothread_quota': bigint;
  readonly 'blkdeviotune.disk': string;
  readonly 'blkdeviotune.total_bytes_sec': bigint;
  readonly 'blkdeviotune.read_bytes_sec': bigint;
  readonly 'blkdeviotune.write_bytes_sec': bigint;
  readonly 'blkdeviotune.total_iops_sec': bigint;
  readonly 'blkdeviotune.read_iops_sec': bigint;
  readonly 'blkdeviotune.write_iops_sec': bigint;
  readonly 'blkdeviotune.total_bytes_sec_max': bigint;
  readonly 'blkdeviotune.read_bytes_sec_max': bigint;
  readonly 'blkdeviotune.write_bytes_sec_max': bigint;
  readonly 'blkdeviotune.total_iops_sec_max': bigint;
  readonly 'blkdeviotune.read_iops_sec_max': bigint;
  readonly 'blkdeviotune.write_iops_sec_max': bigint;
  readonly 'blkdeviotune.size_iops_sec': bigint;
  readonly 'blkdeviotune.group_name': string;
  readonly 'blkdeviotune.total_bytes_sec_max_length': bigint;
  readonly 'blkdeviotune.read_bytes_sec_max_length': bigint;
  readonly 'blkdeviotune.write_bytes_sec_max_length': bigint;
  readonly 'blkdeviotune.total_iops_sec_max_length': bigint;
  readonly 'blkdeviotune.read_iops_sec_max_length': bigint;
  readonly 'blkdeviotune.write_iops_sec_max_length': bigint;
}

export interface NodeMemoryParameters {
  readonly shm_pages_to_scan: number;
  readonly shm_sleep_millisecs: number;
  readonly shm_merge_across_nodes: number;
  readonly shm_pages_shared: bigint;
  readonly shm_pages_sharing: bigint;
  readonly shm_pages_unshared: bigint;
  readonly shm_pages_volatile: bigint;
  readonly shm_full_scans: bigint;
}

export interface DomainStatsParameters {
  readonly 'state.state': number;
  readonly 'state.reason': number;
  readonly 'cpu.time': bigint;
  readonly 'cpu.user': bigint;
  readonly 'cpu.system': bigint;
  readonly 'cpu.haltpoll.success.time': bigint;
  readonly 'cpu.haltpoll.fail.time': bigint;
  readonly 'cpu.cache.monitor.count': number;
  readonly [field: `cpu.cache.monitor.${number}.name`]: string;
  readonly [field: `cpu.cache.monitor.${number}.vcpus`]: string;
  readonly [field: `cpu.cache.monitor.${number}.bank.count`]: number;
  readonly [field: `cpu.cache.monitor.${number}.bank.${number}.id`]: number;
  readonly [field: `cpu.cache.monitor.${number}.bank.${number}.bytes`]: bigint;
  readonly 'balloon.current': bigint;
  readonly 'balloon.maximum': bigint;
  readonly 'balloon.swap_in': bigint;
  readonly 'balloon.swap_out': bigint;
  readonly 'balloon.major_fault': bigint;
  readonly 'balloon.minor_fault': bigint;
  readonly 'balloon.unused': bigint;
  readonly 'balloon.available': bigint;
  readonly 'balloon.rss': bigint;
  readonly 'balloon.usable': bigint;
  readonly 'balloon.last-update': bigint;
  readonly 'balloon.disk_caches': bigint;
  readonly 'balloon.hugetlb_pgalloc': bigint;
  readonly 'balloon.hugetlb_pgfail': bigint;
  readonly 'vcpu.current': number;
  readonly 'vcpu.maximum': number;
  readonly [field: `vcpu.${number}.state`]: number;
  readonly [field: `vcpu.${number}.time`]: bigint;
  readonly [field: `vcpu.${number}.wait`]: bigint;
  readonly [field: `vcpu.${number}.halted`]: boolean;
  readonly [field: `vcpu.${number}.delay`]: bigint;
  readonly 'net.count': number;
  readonly [field: `net.${number}.name`]: string;
  readonly [field: `net.${number}.rx.bytes`]: bigint;
  readonly [field: `net.${number}.rx.pkts`]: bigint;
  readonly [field: `net.${number}.rx.errs`]: bigint;
  readonly [field: `net.${number}.rx.drop`]: bigint;
  readonly [field: `net.${number}.tx.bytes`]: bigint;
  readonly [field: `net.${number}.tx.pkts`]: bigint;
  readonly [field: `net.${number}.tx.errs`]: bigint;
  readonly [field: `net.${number}.tx.drop`]: bigint;
  readonly 'block.count': number;
  readonly [field: `block.${number}.name`]: string;
  readonly [field: `block.${number}.backingIndex`]: number;
  readonly [field: `block.${number}.path`]: string;
  readonly [field: `block.${number}.rd.reqs`]: bigint;
  readonly [field: `block.${number}.rd.bytes`]: bigint;
  readonly [field: `block.${number}.rd.times`]: bigint;
  readonly [field: `block.${number}.wr.reqs`]: bigint;
  readonly [field: `block.${number}.wr.bytes`]: bigint;
  readonly [field: `block.${number}.wr.times`]: bigint;
  readonly [field: `block.${number}.fl.reqs`]: bigint;
  readonly [field: `block.${number}.fl.times`]: bigint;
  readonly [field: `block.${number}.errors`]: bigint;
  readonly [field: `block.${number}.allocation`]: bigint;
  readonly [field: `block.${number}.capacity`]: bigint;
  readonly [field: `block.${number}.physical`]: bigint;
  readonly [field: `block.${number}.threshold`]: bigint;
  readonly [field: `block.${number}.limits.request_alignment`]: bigint;
  readonly [field: `block.${number}.limits.discard_max`]: bigint;
  readonly [field: `block.${number}.limits.discard_alignment`]: bigint;
  readonly [field: `block.${number}.limits.write_zeroes_max`]: bigint;
  readonly [field: `block.${number}.limits.write_zeroes_alignment`]: bigint;
  readonly [field: `block.${number}.limits.transfer_optimal`]: bigint;
  readonly [field: `block.${number}.limits.transfer_max`]: bigint;
  readonly [field: `block.${number}.limits.transfer_hw_max`]: bigint;
  readonly [field: `block.${number}.limits.iov_max`]: bigint;
  readonly [field: `block.${number}.limits.iov_hw_max`]: bigint;
  readonly [field: `block.${number}.limits.memory_alignment_minimal`]: bigint;
  readonly [field: `block.${number}.limits.memory_alignment_optimal`]: bigint;
  readonly [field: `block.${number}.timed_group.count`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.interval`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.rd_latency_min`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.rd_latency_max`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.rd_latency_avg`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.wr_latency_min`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.wr_latency_max`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.wr_latency_avg`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.zone_append_latency_min`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.zone_append_latency_max`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.zone_append_latency_avg`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.flush_latency_min`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.flush_latency_max`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.flush_latency_avg`]: bigint;
  readonly [field: `block.${number}.timed_group.${number}.rd_queue_depth_avg`]: number;
  readonly [field: `block.${number}.timed_group.${number}.wr_queue_depth_avg`]: number;
  readonly [field: `block.${number}.timed_group.${number}.zone_append_queue_depth_avg`]: number;
  readonly [field: `block.${number}.latency_histogram.read.bin.count`]: bigint;
  readonly [field: `block.${number}.latency_histogram.write.bin.count`]: bigint;
  readonly [field: `block.${number}.latency_histogram.zone_append.bin.count`]: bigint;
  readonly [field: `block.${number}.latency_histogram.flush.bin.count`]: bigint;
  readonly [field: `block.${number}.latency_histogram.read.bin.${number}.start`]: bigint;
  readonly [field: `block.${number}.latency_histogram.write.bin.${number}.start`]: bigint;
  readonly [field: `block.${number}.latency_histogram.zone_append.bin.${number}.start`]: bigint;
  readonly [field: `block.${number}.latency_histogram.flush.bin.${number}.start`]: bigint;
  readonly [field: `block.${number}.latency_histogram.read.bin.${number}.value`]: bigint;
  readonly [field: `block.${number}.latency_histogram.write.bin.${number}.value`]: bigint;
  readonly [field: `block.${number}.latency_histogram.zone_append.bin.${number}.value`]: bigint;
  readonly [field: `block.${number}.latency_histogram.flush.bin.${number}.value`]: bigint;
  readonly 'perf.cmt': bigint;
  readonly 'perf.mbmt': bigint;
  readonly 'perf.mbml': bigint;
  readonly 'perf.cache_misses': bigint;
  readonly 'perf.cache_references': bigint;
  readonly 'perf.instructions': bigint;
  readonly 'perf.cpu_cycles': bigint;
  readonly 'perf.branch_instructions': bigint;
  readonly 'perf.branch_misses': bigint;
  readonly 'perf.bus_cycles': bigint;
  readonly 'perf.stalled_cycles_frontend': bigint;
  readonly 'perf.stalled_cycles_backend': bigint;
  readonly 'perf.ref_cpu_cycles': bigint;
  readonly 'perf.cpu_clock': bigint;
  readonly 'perf.task_clock': bigint;
  readonly 'perf.page_faults': bigint;
  readonly 'perf.context_switches': bigint;
  readonly 'perf.cpu_migrations': bigint;
  readonly 'perf.page_faults_min': bigint;
  readonly 'perf.page_faults_maj': bigint;
  readonly 'perf.alignment_faults': bigint;
  readonly 'perf.emulation_faults': bigint;
  readonly 'iothread.count': number;
  readonly [field: `iothread.${number}.poll-max-ns`]: bigint;
  readonly [field: `iothread.${number}.poll-grow`]: number | bigint;
  readonly [field: `iothread.${number}.poll-shrink`]: number | bigint;
  readonly [field: `iothread.${number}.poll-weight`]: number;
  readonly 'memory.bandwidth.monitor.count': number;
  readonly [field: `memory.bandwidth.monitor.${number}.name`]: string;
  readonly [field: `memory.bandwidth.monitor.${number}.vcpus`]: string;
  readonly [field: `memory.bandwidth.monitor.${number}.node.count`]: number;
  readonly [field: `memory.bandwidth.monitor.${number}.node.${number}.id`]: number;
  readonly [field: `memory.bandwidth.monitor.${number}.node.${number}.bytes.local`]: bigint;
  readonly [field: `memory.bandwidth.monitor.${number}.node.${number}.bytes.total`]: bigint;
  readonly 'cpu.energy.monitor.count': number;
  readonly [field: `cpu.energy.monitor.${number}.name`]: string;
  readonly [field: `cpu.energy.monitor.${number}.vcpus`]: string;
  readonly [field: `cpu.energy.monitor.${number}.pkg.count`]: number;
  readonly [field: `cpu.energy.monitor.${number}.pkg.${number}.id`]: number;
  readonly 'dirtyrate.calc_status': number;
  readonly 'dirtyrate.calc_start_time': bigint;
  readonly 'dirtyrate.calc_period': number;
  readonly 'dirtyrate.megabytes_per_second': bigint;
  readonly 'dirtyrate.calc_mode': string;
  readonly [field: `dirtyrate.vcpu.${number}.megabytes_per_second`]: bigint;
}

export interface DomainGuestVcpusParameters {
  readonly vcpus: string;
  readonly online: string;
  readonly offlinable: string;
}

export interface NodeSevInfoParameters {
  readonly pdh: string;
  readonly 'cert-chain': string;
  readonly 'cpu0-id': string;
  readonly cbitpos: number;
  readonly 'reduced-phys-bits': number;
  readonly 'max-guests': number;
  readonly 'max-es-guests': number;
}

export interface DomainLaunchSecurityInfoParameters {
  readonly 'sev-measurement': string;
  readonly 'sev-api-major': number;
  readonly 'sev-api-minor': number;
  readonly 'sev-build-id': number;
  readonly 'sev-policy': number;
  readonly 'sev-snp-policy': bigint;
}

export interface DomainLaunchSecurityStateParameters {
  readonly 'sev-secret-header': string;
  readonly 'sev-secret': string;
  readonly 'sev-secret-set-address': bigint;
}

export interface NetworkPortParameters {
  readonly 'inbound.average': number;
  readonly 'inbound.peak': number;
  readonly 'inbound.burst': number;
  readonly 'inbound.floor': number;
  readonly 'outbound.average': number;
  readonly 'outbound.peak': number;
  readonly 'outbound.burst': number;
}

export interface DomainGuestInfoParameters {
  readonly 'user.count': number;
  readonly [field: `user.${number}.name`]: string;
  readonly [field: `user.${number}.domain`]: string;
  readonly [field: `user.${number}.login-time`]: bigint;
  readonly 'os.id': string;
  readonly 'os.name': string;
  readonly 'os.pretty-name': string;
  readonly 'os.version': string;
  readonly 'os.version-id': string;
  readonly 'os.kernel-release': string;
  readonly 'os.kernel-version': string;
  readonly 'os.machine': string;
  readonly 'os.variant': string;
  readonly 'os.variant-id': string;
  readonly 'timezone.name': string;
  readonly 'timezone.offset': number;
  readonly hostname: string;
  readonly 'fs.count': number;
  readonly [field: `fs.${number}.mountpoint`]: string;
  readonly [field: `fs.${number}.name`]: string;
  readonly [field: `fs.${number}.fstype`]: string;
  readonly [field: `fs.${number}.total-bytes`]: bigint;
  readonly [field: `fs.${number}.used-bytes`]: bigint;
  readonly [field: `fs.${number}.disk.count`]: number;
  readonly [field: `fs.${number}.disk.${number}.alias`]: string;
  readonly [field: `fs.${number}.disk.${number}.serial`]: string;
  readonly [field: `fs.${number}.disk.${number}.device`]: string;
  readonly 'disk.count': number;
  readonly [field: `disk.${number}.name`]: string;
  readonly [field: `disk.${number}.partition`]: boolean;
  readonly [field: `disk.${number}.dependency.count`]: number;
  readonly [field: `disk.${number}.dependency.${number}.name`]: string;
  readonly [field: `disk.${number}.serial`]: string;
  readonly [field: `disk.${number}.alias`]: string;
  readonly [field: `disk.${number}.guest_alias`]: string;
  readonly [field: `disk.${number}.guest_bus`]: string;
  readonly 'if.count': number;
  readonly [field: `if.${number}.name`]: string;
  readonly [field: `if.${number}.hwaddr`]: string;
  readonly [field: `if.${number}.addr.count`]: number;
  readonly [field: `if.${number}.addr.${number}.type`]: string;
  readonly [field: `if.${number}.addr.${number}.addr`]: string;
  readonly [field: `if.${number}.addr.${number}.prefix`]: number;
  readonly 'load.1m': number;
  readonly 'load.5m': number;
  readonly 'load.15m': number;
  readonly 'device.count': number;
  readonly [field: `device.${number}.driverName`]: string;
  readonly [field: `device.${number}.driverDate`]: bigint;
  readonly [field: `device.${number}.driverVersion`]: string;
  readonly [field: `device.${number}.idType`]: string;
  readonly [field: `device.${number}.pciVendor`]: number;
  readonly [field: `device.${number}.pciDevice`]: number;
}

export interface ConnectIdentityParameters {
  readonly 'user-name': string;
  readonly 'unix-user-id': bigint;
  readonly 'group-name': string;
  readonly 'unix-group-id': bigint;
  readonly 'process-id': bigint;
  readonly 'process-time': bigint;
  readonly 'sasl-user-name': string;
  readonly 'x509-distinguished-name': string;
  readonly 'selinux-context': string;
}

export interface DomainAnnounceInterfaceParameters {
  readonly initial: number;
  readonly max: number;
  readonly rounds: number;
  readonly step: number;
}

export interface NodeCpuStatsParameters {
  readonly kernel: bigint;
  readonly user: bigint;
  readonly idle: bigint;
  readonly iowait: bigint;
  readonly intr: bigint;
  readonly guest: bigint;
  readonly utilization: bigint;
}

export interface NodeMemoryStatsParameters {
  readonly total: bigint;
  readonly free: bigint;
  readonly buffers: bigint;
  readonly cached: bigint;
  readonly available: bigint;
}

/** The type of `parameterTypes`. */
export interface ParameterTypeTable {
  readonly DomainScheduler: TypedParameterTypes;
  readonly DomainBlkio: TypedParameterTypes;
  readonly DomainMemory: TypedParameterTypes;
  readonly DomainNuma: TypedParameterTypes;
  readonly DomainPerfEvents: TypedParameterTypes;
  readonly DomainInterface: TypedParameterTypes;
  readonly DomainSave: TypedParameterTypes;
  readonly DomainIothread: TypedParameterTypes;
  readonly DomainBlockCopy: TypedParameterTypes;
  readonly DomainBlockIoTune: TypedParameterTypes;
  readonly DomainMigrate: TypedParameterTypes;
  readonly NodeMemory: TypedParameterTypes;
  readonly DomainLaunchSecurityState: TypedParameterTypes;
  readonly NetworkPort: TypedParameterTypes;
  readonly ConnectIdentity: TypedParameterTypes;
  readonly DomainAnnounceInterface: TypedParameterTypes;
}

/** The wire types of the fields that clients send, by set. */
export const parameterTypes: ParameterTypeTable = {
  DomainScheduler: new Map([
    ['cpu_shares', 'ullong'],
    ['global_period', 'ullong'],
    ['global_quota', 'llong'],
    ['vcpu_period', 'ullong'],
    ['vcpu_quota', 'llong'],
    ['emulator_period', 'ullong'],
    ['emulator_quota', 'llong'],
    ['iothread_period', 'ullong'],
    ['iothread_quota', 'llong'],
    ['weight', 'uint'],
    ['cap', 'uint'],
    ['reservation', 'llong'],
    ['limit', 'llong'],
    ['shares', 'int'],
  ]),
  DomainBlkio: new Map([
    ['weight', 'uint'],
    ['device_weight', 'string'],
    ['device_read_iops_sec', 'string'],
    ['device_write_iops_sec', 'string'],
    ['device_read_bytes_sec', 'string'],
    ['device_write_bytes_sec', 'string'],
  ]),
  DomainMemory: new Map([
    ['hard_limit', 'ullong'],
    ['soft_limit', 'ullong'],
    ['min_guarantee', 'ullong'],
    ['swap_hard_limit', 'ullong'],
  ]),
  DomainNuma: new Map([
    ['numa_nodeset', 'string'],
    ['numa_mode', 'int'],
  ]),
  DomainPerfEvents: new Map([
    ['cmt', 'boolean'],
    ['mbmt', 'boolean'],
    ['mbml', 'boolean'],
    ['cache_misses', 'boolean'],
    ['cache_references', 'boolean'],
    ['instructions', 'boolean'],
    ['cpu_cycles', 'boolean'],
    ['branch_instructions', 'boolean'],
    ['branch_misses', 'boolean'],
    ['bus_cycles', 'boolean'],
    ['stalled_cycles_frontend', 'boolean'],
    ['stalled_cycles_backend', 'boolean'],
    ['ref_cpu_cycles', 'boolean'],
    ['cpu_clock', 'boolean'],
    ['task_clock', 'boolean'],
    ['page_faults', 'boolean'],
    ['context_switches', 'boolean'],
    ['cpu_migrations', 'boolean'],
    ['page_faults_min', 'boolean'],
    ['page_faults_maj', 'boolean'],
    ['alignment_faults', 'boolean'],
    ['emulation_faults', 'boolean'],
  ]),
  DomainInterface: new Map([
    ['inbound.average', 'uint'],
    ['inbound.peak', 'uint'],
    ['inbound.burst', 'uint'],
    ['inbound.floor', 'uint'],
    ['outbound.average', 'uint'],
    ['outbound.peak', 'uint'],
    ['outbound.burst', 'uint'],
  ]),
  DomainSave: new Map([
    ['file', 'string'],
    ['dxml', 'string'],
    ['image_format', 'string'],
    ['parallel.channels', 'int'],
  ]),
  DomainIothread: new Map([
    ['poll_max_ns', 'ullong'],
    ['poll_grow', 'unsigned'],
    ['poll_shrink', 'unsigned'],
    ['poll_weight', 'uint'],
    ['thread_pool_min', 'int'],
    ['thread_pool_max', 'int'],
  ]),
  DomainBlockCopy: new Map([
    ['bandwidth', 'ullong'],
    ['granularity', 'uint'],
    ['buf-size', 'ullong'],
  ]),
  DomainBlockIoTune: new Map([
    ['total_bytes_sec', 'ullong'],
    ['read_bytes_sec', 'ullong'],
    ['write_bytes_sec', 'ullong'],
    ['total_iops_sec', 'ullong'],
    ['read_iops_sec', 'ullong'],
    ['write_iops_sec', 'ullong'],
    ['total_bytes_sec_max', 'ullong'],
    ['read_bytes_sec_max', 'ullong'],
    ['write_bytes_sec_max', 'ullong'],
    ['total_iops_sec_max', 'ullong'],
    ['read_iops_sec_max', 'ullong'],
    ['write_iops_sec_max', 'ullong'],
    ['total_bytes_sec_max_length', 'ullong'],
    ['read_bytes_sec_max_length', 'ullong'],
    ['write_bytes_sec_max_length', 'ullong'],
    ['total_iops_sec_max_length', 'ullong'],
    ['read_iops_sec_max_length', 'ullong'],
    ['write_iops_sec_max_length', 'ullong'],
    ['size_iops_sec', 'ullong'],
    ['group_name', 'string'],
  ]),
  DomainMigrate: new Map([
    ['migrate_uri', 'string'],
    ['destination_name', 'string'],
    ['destination_xml', 'string'],
    ['persistent_xml', 'string'],
    ['bandwidth', 'ullong'],
    ['bandwidth.postcopy', 'ullong'],
    ['bandwidth.avail.switchover', 'ullong'],
    ['graphics_uri', 'string'],
    ['listen_address', 'string'],
    ['migrate_disks', 'string'],
    ['migrate_disks_detect_zeroes', 'string'],
    ['migrate_disks_target_zero', 'string'],
    ['disks_port', 'int'],
    ['disks_uri', 'string'],
    ['compression', 'string'],
    ['compression.mt.level', 'int'],
    ['compression.mt.threads', 'int'],
    ['compression.mt.dthreads', 'int'],
    ['compression.xbzrle.cache', 'ullong'],
    ['compression.zlib.level', 'int'],
    ['compression.zstd.level', 'int'],
    ['auto_converge.initial', 'int'],
    ['auto_converge.increment', 'int'],
    ['parallel.connections', 'int'],
    ['tls.destination', 'string'],
  ]),
  NodeMemory: new Map([
    ['shm_pages_to_scan', 'uint'],
    ['shm_sleep_millisecs', 'uint'],
    ['shm_merge_across_nodes', 'uint'],
    ['shm_pages_shared', 'ullong'],
    ['shm_pages_sharing', 'ullong'],
    ['shm_pages_unshared', 'ullong'],
    ['shm_pages_volatile', 'ullong'],
    ['shm_full_scans', 'ullong'],
  ]),
  DomainLaunchSecurityState: new Map([
    ['sev-secret-header', 'string'],
    ['sev-secret', 'string'],
    ['sev-secret-set-address', 'ullong'],
  ]),
  NetworkPort: new Map([
    ['inbound.average', 'uint'],
    ['inbound.peak', 'uint'],
    ['inbound.burst', 'uint'],
    ['inbound.floor', 'uint'],
    ['outbound.average', 'uint'],
    ['outbound.peak', 'uint'],
    ['outbound.burst', 'uint'],
  ]),
  ConnectIdentity: new Map([
    ['user-name', 'string'],
    ['unix-user-id', 'ullong'],
    ['group-name', 'string'],
    ['unix-group-id', 'ullong'],
    ['process-id', 'llong'],
    ['process-time', 'ullong'],
    ['sasl-user-name', 'string'],
    ['x509-distinguished-name', 'string'],
    ['selinux-context', 'string'],
  ]),
  DomainAnnounceInterface: new Map([
    ['initial', 'uint'],
    ['max', 'uint'],
    ['rounds', 'uint'],
    ['step', 'uint'],
  ]),
};

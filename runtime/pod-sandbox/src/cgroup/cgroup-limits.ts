/** How much a pod may take; what is left out is not limited. */
export interface CgroupLimits {
  /** How much of the processors it gets when they are short, in thousandths of one. */
  readonly cpuRequestMilli?: number | undefined;
  /** How much of them it gets at most. */
  readonly cpuLimitMilli?: number | undefined;
  readonly memoryLimitBytes?: bigint | undefined;
  readonly processLimit?: number | undefined;
}

export interface LimitFile {
  readonly controller: string;
  readonly file: string;
  readonly value: string;
}

const PERIOD_US = 100_000;
/** The kernel takes no less. */
const MIN_QUOTA_US = 1_000;
const MIN_SHARES = 2;
const MAX_SHARES = 262_144;

/** What to write where for these limits, in the words of one version of cgroups. */
export function limitFiles(version: 1 | 2, limits: CgroupLimits): readonly LimitFile[] {
  const { cpuRequestMilli, cpuLimitMilli, memoryLimitBytes, processLimit } = limits;
  const shares = cpuRequestMilli === undefined ? undefined : cpuShares(cpuRequestMilli);
  const quota = cpuLimitMilli === undefined ? undefined : Math.max(MIN_QUOTA_US, (cpuLimitMilli * PERIOD_US) / 1000);
  const files =
    version === 2
      ? [
          ['cpu', 'cpu.weight', shares === undefined ? undefined : cpuWeight(shares)],
          ['cpu', 'cpu.max', quota === undefined ? undefined : `${quota} ${PERIOD_US}`],
          ['memory', 'memory.max', memoryLimitBytes],
          ['pids', 'pids.max', processLimit],
        ]
      : [
          ['cpu', 'cpu.shares', shares],
          ['cpu', 'cpu.cfs_period_us', quota === undefined ? undefined : PERIOD_US],
          ['cpu', 'cpu.cfs_quota_us', quota],
          ['memory', 'memory.limit_in_bytes', memoryLimitBytes],
          ['pids', 'pids.max', processLimit],
        ];
  return files.flatMap(([controller, file, value]) =>
    value === undefined ? [] : [{ controller: String(controller), file: String(file), value: String(value) }],
  );
}

function cpuShares(milli: number): number {
  return Math.min(MAX_SHARES, Math.max(MIN_SHARES, Math.floor((milli * 1024) / 1000)));
}

/** From 2…262144 to 1…10000, as every container runtime does it. */
function cpuWeight(shares: number): number {
  return 1 + Math.floor(((shares - MIN_SHARES) * 9999) / (MAX_SHARES - MIN_SHARES));
}

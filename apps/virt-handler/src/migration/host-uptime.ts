import { isLibvirtError, isUnsupported, type Connection } from '@smalt/libvirt';

/** What is asked of a daemon about how long its host is up. */
export type UptimeSource = Pick<Connection, 'nodeGetCpuStats'>;

const LOOK_TIMEOUT_MS = 10_000;
const NANOSECONDS_IN_MS = 1_000_000;
/** Any of them may be off. Before Linux 6.8, one that comes back has forgotten how long it rested. */
const PROCESSORS = [0, 1, 2, 3];
/**
 * A target that was booted after it may have run the guest is up for clearly less than the migration is old: before its kernel began
 * to count, a QEMU was started, a guest was sent, and a firmware ran. One that was not is up for longer, since its handler had to come
 * first. A share of the age would be unsafe instead: after an hour of darkness it is longer than all of that.
 */
const MARGIN_MS = 2_000;

/**
 * How long ago a host was booted, by all that its first processors have done and waited for since, in milliseconds. It is rather less than the
 * truth: what another guest of the same machine took of it is not in there. Undefined where the hypervisor does not tell.
 */
export async function hostUptimeMs(daemon: UptimeSource, signal: AbortSignal): Promise<number | undefined> {
  const told = await Promise.all(PROCESSORS.map((cpuNum) => processorMs(daemon, cpuNum, signal)));
  const known = told.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Whether a host was surely booted within that time, by how long it is up. */
export function wasBootedWithin(durationMs: number, uptimeMs: number | undefined): boolean {
  return uptimeMs !== undefined && uptimeMs < durationMs - MARGIN_MS;
}

async function processorMs(daemon: UptimeSource, cpuNum: number, signal: AbortSignal): Promise<number | undefined> {
  try {
    const options = { timeoutMs: LOOK_TIMEOUT_MS, signal };
    const { kernel = 0n, user = 0n, idle, iowait = 0n } = await daemon.nodeGetCpuStats({ cpuNum }, options);
    // Without it nothing can be said of a processor that rests.
    return idle === undefined ? undefined : Number(kernel + user + idle + iowait) / NANOSECONDS_IN_MS;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Whether the daemon has answered that it does not tell, for whatever reason: it can be heard, so what it said of the guest counts. */
function isRefusal(error: unknown): boolean {
  return isUnsupported(error) || (isLibvirtError(error) && error.number !== undefined);
}

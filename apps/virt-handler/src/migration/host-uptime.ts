import { isLibvirtError, isUnsupported, type Connection } from '@smalt/libvirt';

/** What is asked of a daemon about how long its host is up. */
export type UptimeSource = Pick<Connection, 'nodeGetCpuStats'>;

const LOOK_TIMEOUT_MS = 10_000;
const NANOSECONDS_IN_MS = 1_000_000;
/** Any of them may be off. Before Linux 6.8, one that comes back has forgotten how long it rested. */
const PROCESSORS = [0, 1, 2, 3];
/**
 * How much of what a host tells is believed, which may be a hundredth more than the truth. The price is that one counts as booted since that
 * came up just before, by a fiftieth of the time since then.
 */
const CERTAIN_SHARE = 0.98;

/**
 * How long ago a host was booted, by all that its first processors have done and waited for since, in milliseconds. It may be a hundredth
 * more than the truth, and less: what another guest of the same machine took of it is not in there. Undefined where the hypervisor does
 * not tell.
 */
export async function hostUptimeMs(daemon: UptimeSource, signal: AbortSignal): Promise<number | undefined> {
  const told = await Promise.all(PROCESSORS.map((cpuNum) => processorMs(daemon, cpuNum, signal)));
  const known = told.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Whether a host was booted within that time, by how long it says that it is up; in doubt it was. */
export function wasBootedWithin(durationMs: number, uptimeMs: number | undefined): boolean {
  return uptimeMs !== undefined && uptimeMs * CERTAIN_SHARE < durationMs;
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

import { isUnsupported, type Connection } from '@smalt/libvirt';

/** What is asked of a daemon about how long its host is up. */
export type UptimeSource = Pick<Connection, 'nodeGetCpuStats'>;

const LOOK_TIMEOUT_MS = 10_000;
const NANOSECONDS_IN_MS = 1_000_000;

/**
 * How long ago a host was booted, by all that its first processor has done and waited for since, in milliseconds. It is rather less than the
 * truth: what another guest of the same machine took of it is not in there. Undefined where the hypervisor does not tell.
 */
export async function hostUptimeMs(daemon: UptimeSource, signal: AbortSignal): Promise<number | undefined> {
  try {
    const options = { timeoutMs: LOOK_TIMEOUT_MS, signal };
    const { kernel = 0n, user = 0n, idle, iowait = 0n } = await daemon.nodeGetCpuStats({ cpuNum: 0 }, options);
    // Without it nothing can be said of a processor that rests.
    return idle === undefined ? undefined : Number(kernel + user + idle + iowait) / NANOSECONDS_IN_MS;
  } catch (error) {
    if (isUnsupported(error)) return undefined;
    throw error;
  }
}

import { isRefused, OvsError } from '../../ovs-error.ts';
import type { RequestOptions, Unixctl } from '../unixctl.ts';
import type { DaemonVersion } from './daemon-version.ts';
import { parseCoverage, parseMemory, parseVersion } from './parse-daemon.ts';

const COUNTER_NAME = /^[a-z0-9_]+$/i;

/** Which program answers, and in which version; also the cheapest sign of life. */
export async function readVersion(unixctl: Unixctl, options?: RequestOptions): Promise<DaemonVersion> {
  const text = await unixctl.run('version', [], options);
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw new OvsError('protocol', `${unixctl.socket} says that its version is ${JSON.stringify(text.slice(0, 100))}`);
}

/** `memory/show`: counts by name, `ofconns`, `ports`, `rules`, … A name that is missing counts nothing. */
export async function showMemory(unixctl: Unixctl, options?: RequestOptions): Promise<ReadonlyMap<string, number>> {
  return parseMemory(await unixctl.run('memory/show', [], options));
}

/** `coverage/show`: the total of each event that happened at least once. */
export async function showCoverage(unixctl: Unixctl, options?: RequestOptions): Promise<ReadonlyMap<string, bigint>> {
  return parseCoverage(await unixctl.run('coverage/show', [], options));
}

/** One coverage counter, or undefined where the daemon has none of that name. */
export async function readCoverageCounter(
  unixctl: Unixctl,
  name: string,
  options?: RequestOptions,
): Promise<bigint | undefined> {
  if (!COUNTER_NAME.test(name))
    throw new OvsError('invalid-argument', `${JSON.stringify(name)} is no coverage counter`);
  try {
    const text = await unixctl.run('coverage/read-counter', [name], options);
    return /^\d+$/.test(text.trim()) ? BigInt(text.trim()) : undefined;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

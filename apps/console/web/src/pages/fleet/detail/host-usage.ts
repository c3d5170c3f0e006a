import { isJsonObject } from '@smalt/json';
import type { HostUsage } from '@smalt/vm-api';

import { ratesOf } from '../../../parts/graph/rates.ts';

/** What a host used at a moment. */
export interface HostSample extends HostUsage {
  readonly atMs: number;
}

/** Five minutes, at one message a second. */
const MOST = 300;
const FIELDS = ['cpuBusySeconds', 'cpus', 'load1', 'memoryUsedBytes', 'memoryTotalBytes'] as const;

/** The history with one more message of a node; a message that is none changes nothing. */
export function addHostUsage(history: readonly HostSample[], message: unknown): readonly HostSample[] {
  const sample = readSample(message);
  return sample === undefined ? history : [...history, sample].slice(-MOST);
}

/** Percent of all processors of the host, one value for each sample. */
export function processorPercents(history: readonly HostSample[]): readonly (number | null)[] {
  const rates = ratesOf(history.map(({ atMs, cpuBusySeconds }) => ({ atMs, total: cpuBusySeconds })));
  return rates.map((rate, index) =>
    rate === null ? null : Math.min(100, (100 * rate) / Math.max(1, history[index]?.cpus ?? 1)),
  );
}

function readSample(message: unknown): HostSample | undefined {
  if (!isJsonObject(message) || !isJsonObject(message['host']) || typeof message['at'] !== 'string') return undefined;
  const { host } = message;
  const atMs = Date.parse(message['at']);
  const [cpuBusySeconds, cpus, load1, memoryUsedBytes, memoryTotalBytes] = FIELDS.map((field) => numberOf(host[field]));
  if (Number.isNaN(atMs) || cpuBusySeconds === undefined || cpus === undefined || load1 === undefined) return undefined;
  if (memoryUsedBytes === undefined || memoryTotalBytes === undefined) return undefined;
  return { atMs, cpuBusySeconds, cpus, load1, memoryUsedBytes, memoryTotalBytes };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

import { isJsonObject, type JsonObject } from '@smalt/json';
import type { InstanceUsage } from '@smalt/vm-api';

import { ratesOf } from '../../../parts/graph/rates.ts';

/** What was measured lately, the oldest first. */
export type UsageHistory = readonly InstanceUsage[];

/** Five minutes, at one message a second. */
const MOST = 300;

/** The history with one more message; a message that is none changes nothing. */
export function addUsage(history: UsageHistory, message: unknown): UsageHistory {
  return isInstanceUsage(message) ? [...history, message].slice(-MOST) : history;
}

/** Lines of graphs, one value for each time. */
export interface UsageSeries {
  readonly times: readonly number[];
  /** Percent of all its virtual processors. */
  readonly processorPercent: readonly (number | null)[];
  readonly memoryUsedBytes: readonly number[];
  readonly readPerSecond: readonly (number | null)[];
  readonly writtenPerSecond: readonly (number | null)[];
  readonly receivedPerSecond: readonly (number | null)[];
  readonly sentPerSecond: readonly (number | null)[];
}

export function usageSeries(history: UsageHistory): UsageSeries {
  const rates = (total: (usage: InstanceUsage) => number): readonly (number | null)[] =>
    ratesOf(history.map((usage) => ({ atMs: Date.parse(usage.at), total: total(usage) })));
  const busy = rates(({ cpu }) => cpu.seconds);
  return {
    times: history.map(({ at }) => Date.parse(at)),
    processorPercent: busy.map((rate, index) => percent(rate, history[index]?.cpu.vcpus ?? 1)),
    memoryUsedBytes: history.map(({ memory }) => memory.usedBytes),
    readPerSecond: rates(({ disks }) => sum(disks.map(({ readBytes }) => readBytes))),
    writtenPerSecond: rates(({ disks }) => sum(disks.map(({ writtenBytes }) => writtenBytes))),
    receivedPerSecond: rates(({ interfaces }) => sum(interfaces.map(({ receivedBytes }) => receivedBytes))),
    sentPerSecond: rates(({ interfaces }) => sum(interfaces.map(({ sentBytes }) => sentBytes))),
  };
}

function percent(rate: number | null, vcpus: number): number | null {
  return rate === null ? null : Math.min(100, (100 * rate) / Math.max(1, vcpus));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isInstanceUsage(message: unknown): message is InstanceUsage {
  if (!isJsonObject(message) || typeof message['at'] !== 'string') return false;
  const hasParts = isPart(message['cpu']) && isPart(message['memory']);
  return hasParts && Array.isArray(message['disks']) && Array.isArray(message['interfaces']);
}

function isPart(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.values(value).every((field) => typeof field === 'number');
}

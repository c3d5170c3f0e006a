/** How much is measured. */
export interface FleetPlan {
  /** The numbers of hosts, from small to large: one fleet grows through all of them. */
  readonly sizes: readonly number[];
  readonly machinesPerHost: number;
  readonly hostsPerProcess: number;
  /** How many clients create machines. */
  readonly clients: number;
  /** How long it is quiet before it is measured, and how long it is measured. */
  readonly settleSeconds: number;
  readonly windowSeconds: number;
  /** The share of all machines that is restarted in a minute. */
  readonly restartsPerMinute: number;
}

const MOST_HOSTS_PER_PROCESS = 100;
const LEAST_HOSTS_PER_PROCESS = 10;

/**
 * A full run takes half an hour or so with both servers, most of it for bringing machines up; a quick one three minutes.
 * Processes have no more hosts than the smallest fleet, so that what a process costs by itself is not taken for growth.
 */
export function planFleet(isQuick: boolean, chosen?: readonly number[]): FleetPlan {
  const sizes = chosen ?? (isQuick ? [10, 30] : [100, 300, 1_000]);
  const hosts = Math.max(sizes[0] ?? 0, LEAST_HOSTS_PER_PROCESS);
  const churn = { restartsPerMinute: 0.01, machinesPerHost: 10, clients: 16 };
  const times = isQuick ? { settleSeconds: 5, windowSeconds: 20 } : { settleSeconds: 15, windowSeconds: 60 };
  return { ...churn, ...times, sizes, hostsPerProcess: Math.min(hosts, MOST_HOSTS_PER_PROCESS) };
}

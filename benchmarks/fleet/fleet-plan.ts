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

/** A full run takes half an hour or so with both servers, most of it for bringing machines up; a quick one three minutes. */
export function planFleet(isQuick: boolean): FleetPlan {
  const churn = { restartsPerMinute: 0.01, machinesPerHost: 10, clients: 16 };
  if (isQuick) return { ...churn, sizes: [10, 30], hostsPerProcess: 10, settleSeconds: 5, windowSeconds: 20 };
  return { ...churn, sizes: [100, 300, 1_000], hostsPerProcess: 100, settleSeconds: 15, windowSeconds: 60 };
}

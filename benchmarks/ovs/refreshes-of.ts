const COUNT = /^smalt_ovs_agent_refresh_seconds_count\{[^}]*source="flow-tables"[^}]*\} (\d+)$/m;

/** How often the agent has asked for the flow tables, from what it tells Prometheus. */
export function refreshesOf(metrics: string): number {
  return Number(COUNT.exec(metrics)?.[1] ?? 0);
}

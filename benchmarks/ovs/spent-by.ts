import type { OvsNode } from '@smalt/bed-ovs';

import { readMainThreadCpu, readProcessCpu } from '../src/process-cpu.ts';

/** Processor time in seconds. */
interface Spent {
  /** Of the main thread alone, which also passes packets on and applies configuration. */
  readonly vswitchd: number;
  readonly database: number;
}

/** What the daemons of a node have spent since they were started. */
export async function spentBy({ pids }: OvsNode): Promise<Spent> {
  const [vswitchd, database] = await Promise.all([
    readMainThreadCpu(pids['ovs-vswitchd'] ?? 0),
    readProcessCpu(pids['ovsdb-server'] ?? 0),
  ]);
  return { vswitchd, database };
}

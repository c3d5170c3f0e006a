import { setTimeout as delay } from 'node:timers/promises';

import { readProcessCpu } from '../src/process-cpu.ts';
import { readPeakBytes, readProcessMemory } from '../src/process-memory.ts';
import type { RestResult } from './ovs-result.ts';
import type { RunningOvsAgent } from './run-ovs-agent.ts';

/** Measures what an agent takes of its node while nothing happens. */
export async function measureRest(agent: RunningOvsAgent, seconds: number, signal: AbortSignal): Promise<RestResult> {
  const before = await readProcessCpu(agent.pid);
  const began = performance.now();
  await delay(seconds * 1_000, undefined, { signal });
  const cpuSeconds = (await readProcessCpu(agent.pid)) - before;
  const cpuShare = (cpuSeconds * 1_000) / (performance.now() - began);
  const [{ residentBytes }, peakBytes] = await Promise.all([readProcessMemory(agent.pid), readPeakBytes(agent.pid)]);
  return { cpuShare, residentBytes, peakBytes };
}

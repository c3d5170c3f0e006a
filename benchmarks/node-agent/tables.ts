import { percentile } from '../api/percentile.ts';
import { formatMebibytes, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import { median } from '../src/sample-summary.ts';
import { AGENT_TITLES } from './agent-name.ts';
import type { AgentResult, SwarmResult } from './agent-result.ts';

/** Each agent with each number of domains, side by side. */
export function agentTable(results: readonly AgentResult[]): Table {
  const row = (title: string, cell: (result: AgentResult) => string): readonly string[] => [
    title,
    ...results.map(cell),
  ];
  return {
    title: 'One agent on one host; a domain is defined, started, stopped, undefined',
    columns: ['measure', ...results.map(({ agent, domains }) => `${AGENT_TITLES[agent]}, ${domains}`)],
    rows: [
      row('from start until all domains show', ({ startMs }) => milliseconds(startMs)),
      row('libvirt calls for that', ({ callsAtStart }) => String(callsAtStart)),
      row('event to status, p50', ({ eventMs }) => milliseconds(median(eventMs))),
      row('event to status, p99', ({ eventMs }) => milliseconds(percentile(eventMs, 0.99))),
      row('CPU time per event', ({ cpuMsPerEvent }) => milliseconds(cpuMsPerEvent)),
      row('libvirt calls per event', ({ callsPerEvent }) => callsPerEvent.toFixed(1)),
      row('resident memory, at rest', ({ residentBytes }) => formatMebibytes(residentBytes)),
      row('resident memory, peak', ({ peakBytes }) => formatMebibytes(peakBytes)),
    ],
  };
}

/** Many agents on one machine. */
export function swarmTable({ agents, filledMs, residentBytes, eventMs }: SwarmResult): Table {
  return {
    title: `${agents} agents of ours on this machine, each with a daemon of its own`,
    columns: ['measure', 'value'],
    rows: [
      ['from start until every Hypervisor is filled', milliseconds(filledMs)],
      ['resident memory of all agents', formatMebibytes(residentBytes)],
      ['resident memory per agent', formatMebibytes(residentBytes / agents)],
      ['event to status, p50', milliseconds(median(eventMs))],
      ['event to status, p99', milliseconds(percentile(eventMs, 0.99))],
    ],
  };
}

function milliseconds(value: number): string {
  return formatSeconds(value / 1_000);
}

import { percentile } from '../api/percentile.ts';
import { formatMebibytes, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import { median } from '../src/sample-summary.ts';
import type { LookCost, OvsResults } from './ovs-result.ts';

/** All that was measured. */
export function ovsTables({ size, refresh, rest, tools, losses, swarm }: OvsResults): readonly Table[] {
  return [
    {
      title: `One look at a switch with ${size.ports} ports and ${size.flows} flows, CPU time`,
      columns: ['who looks', 'ovs-vswitchd', 'ovsdb-server', 'who looks'],
      rows: [refresh.ours, refresh.presence, ...tools].map(costRow),
    },
    {
      title: 'The agent on that node, with counters every 5 s and a refresh every 10 s',
      columns: ['measure', 'value'],
      rows: [
        ['of one processor', `${(rest.cpuShare * 100).toFixed(2)} %`],
        ['resident memory', formatMebibytes(rest.residentBytes)],
        ['resident memory, peak', formatMebibytes(rest.peakBytes)],
      ],
    },
    {
      title: 'From the loss of a link until the OVSNode says so',
      columns: ['where', 'losses', 'p50', 'p99', 'worst'],
      rows: [...losses, { where: `${swarm.agents} agents on this machine`, times: swarm.lossMs }].map(lossRow),
    },
    {
      title: `${swarm.agents} agents of ours on this machine, each with an Open vSwitch of its own`,
      columns: ['measure', 'value'],
      rows: [
        ['from start until every OVSNode is filled', milliseconds(swarm.filledMs)],
        ['resident memory of all agents', formatMebibytes(swarm.residentBytes)],
        ['resident memory per agent', formatMebibytes(swarm.residentBytes / swarm.agents)],
      ],
    },
  ];
}

function costRow({ name, vswitchdMs, databaseMs, clientMs }: LookCost): readonly string[] {
  // What is less than the noise may come out below nothing.
  return [name, ...[vswitchdMs, databaseMs, clientMs].map((value) => milliseconds(Math.max(0, value)))];
}

function lossRow({ where, times }: { readonly where: string; readonly times: readonly number[] }): readonly string[] {
  const worst = Math.max(...times);
  return [where, String(times.length), ...[median(times), percentile(times, 0.99), worst].map(milliseconds)];
}

function milliseconds(value: number): string {
  return formatSeconds(value / 1_000);
}

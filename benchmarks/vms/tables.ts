import { percentile } from '../api/percentile.ts';
import { formatMebibytes, formatRate, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import { summarizeSamples } from '../src/sample-summary.ts';
import { overheadBytes } from './figures.ts';
import type { CreateResult, MigrationResult, SwarmResult, VmsResults } from './vms-result.ts';

/** All that was measured. */
export function vmsTables({ create, swarm, migration }: VmsResults): readonly Table[] {
  return [
    createTable(create),
    memoryTable(create),
    swarmTable(swarm),
    partsTable(swarm),
    writesTable(swarm),
    moveTable(migration),
  ];
}

function createTable({ machines, parallel, rounds }: CreateResult): Table {
  return {
    title: `${machines} machines on one libvirtd, until all run; median and spread of ${rounds.length} rounds`,
    columns: ['who makes them', 'time', 'a machine'],
    rows: [
      timeRow(
        'kubectl apply of instances',
        rounds.map(({ oursMs }) => oursMs),
        machines,
      ),
      timeRow(
        'virsh create, one after the other',
        rounds.map(({ serialMs }) => serialMs),
        machines,
      ),
      timeRow(
        `${parallel} virsh at a time`,
        rounds.map(({ parallelMs }) => parallelMs),
        machines,
      ),
    ],
  };
}

function memoryTable({ machines, memory }: CreateResult): Table {
  return {
    title: `Memory of a machine beyond its own process, of ${machines}; shared pages are split`,
    columns: ['part', 'a machine'],
    rows: [
      ['launcher', formatMebibytes(memory.launcher)],
      ...Object.entries(memory.growth).map(([part, bytes]) => [`growth of ${part}`, formatMebibytes(bytes)]),
      ['all of it', formatMebibytes(overheadBytes(memory))],
      ['(the process of the guest, not counted)', formatMebibytes(memory.monitor)],
    ],
  };
}

function swarmTable({ nodes, instances, times, tookMs }: SwarmResult): Table {
  return {
    title: `${instances} instances at once on ${nodes} nodes with mock hypervisors`,
    columns: ['measure', 'value'],
    rows: [
      ['from the first create until all run', milliseconds(tookMs)],
      ['instances', formatRate((instances * 1_000) / tookMs)],
      ['from create to Running, p50', milliseconds(percentile(times, 0.5))],
      ['p95', milliseconds(percentile(times, 0.95))],
      ['p99', milliseconds(percentile(times, 0.99))],
    ],
  };
}

function partsTable({ instances, cpu, memory }: SwarmResult): Table {
  return {
    title: 'What each of them costs',
    columns: ['part', 'CPU time an instance', 'memory an instance'],
    rows: Object.entries(cpu).map(([part, seconds]) => [
      part,
      formatSeconds(seconds / instances),
      `${((memory[part] ?? 0) / instances / 1024).toFixed(0)} KiB`,
    ]),
  };
}

function writesTable({ instances, requests }: SwarmResult): Table {
  const counts = new Map<string, number>();
  for (const { user, verb, resource, code } of requests) {
    const key = [user, `${verb} ${resource}`, String(code)].join('\t');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return {
    title: 'Writes to the API server, as its audit log has them',
    columns: ['who', 'what', 'answer', 'an instance'],
    rows: sorted.map(([key, count]) => [...key.split('\t'), (count / instances).toFixed(3)]),
  };
}

function moveTable({ memoryMiB, rounds }: MigrationResult): Table {
  return {
    title: `A guest with ${memoryMiB} MiB moves to the other host; median and spread of ${rounds.length} rounds`,
    columns: ['who moves it', 'time', ''],
    rows: [
      timeRow(
        'VirtualMachineInstanceMigration',
        rounds.map(({ oursMs }) => oursMs),
      ),
      timeRow(
        'virsh migrate --live',
        rounds.map(({ virshMs }) => virshMs),
      ),
    ],
  };
}

function timeRow(name: string, samples: readonly number[], count?: number): readonly string[] {
  const { median, spread } = summarizeSamples(samples) ?? { median: 0, spread: 0 };
  const time = `${milliseconds(median)} ± ${(spread * 100).toFixed(0)} %`;
  return [name, time, count === undefined ? '' : milliseconds(median / count)];
}

function milliseconds(value: number): string {
  return formatSeconds(value / 1_000);
}

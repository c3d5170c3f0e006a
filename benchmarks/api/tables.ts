import { formatMebibytes, formatRate, formatRatio, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import { costRatio } from '../src/ratio.ts';
import type { ApiPlan } from './api-plan.ts';
import type { ApiResults } from './api-result.ts';
import { SERVER_NAMES, SERVER_TITLES } from './api-server-name.ts';

const MISSING = '–';

interface Row {
  readonly title: string;
  readonly quantity: string;
  readonly format: (value: number) => string;
  /** Whether more is better; then our value over theirs is the gain. */
  readonly isRate?: boolean;
}

/** Everything that was measured of the servers, side by side. */
export function serverTable(results: ApiResults, plan: ApiPlan): Table {
  return {
    title: 'The servers (medians of the rounds)',
    columns: ['measure', ...SERVER_NAMES.map((name) => SERVER_TITLES[name]), 'better by'],
    rows: rowsOf(plan).map((row) => [
      row.title,
      ...SERVER_NAMES.map((name) => {
        const value = results.get(name, row.quantity);
        return value === undefined ? MISSING : row.format(value);
      }),
      formatRatio(gainOf(results, row)),
    ]),
  };
}

/** What a controller of ours costs. */
export function controllerTable(results: ApiResults, plan: ApiPlan): Table {
  const cell = (quantity: string, format: (value: number) => string): string => {
    const value = results.get('smalt', quantity);
    return value === undefined ? MISSING : format(value);
  };
  return {
    title: `A controller on ${plan.controllerObjects} objects (@smalt/controller-runtime, smalt apiserver)`,
    columns: ['measure', 'value'],
    rows: [
      ['from start until the cache has all of them', cell('syncMs', milliseconds)],
      ['from start until each was reconciled once', cell('reconciledMs', milliseconds)],
      ['memory per object, queue and cache', cell('bytesPerObject', (bytes) => `${Math.round(bytes)} B`)],
    ],
  };
}

function gainOf(results: ApiResults, { quantity, isRate = false }: Row): number | null {
  const [ours, theirs] = SERVER_NAMES.map((name) => results.get(name, quantity));
  return isRate ? costRatio(ours, theirs) : costRatio(theirs, ours);
}

function rowsOf({ listedObjects, watch, fanOut }: ApiPlan): readonly Row[] {
  const fan = `${fanOut.watchers} watchers, ${fanOut.perSecond} updates/s`;
  return [
    time('cold start to ready, no data', 'startMs'),
    memory('resident memory, idle and empty', 'idleBytes'),
    memory(`resident memory with ${listedObjects} objects, after lists`, 'listedBytes'),
    rate('creates, 1 client', 'create1PerSecond'),
    rate('creates, 16 clients', 'create16PerSecond'),
    rate('status updates, 1 client', 'status1PerSecond'),
    rate('status updates, 16 clients', 'status16PerSecond'),
    time(`list of ${listedObjects} objects, p50`, 'listP50Ms'),
    time(`create to event, ${watch.perSecond}/s, p50`, 'watchP50Ms'),
    time(`create to event, ${watch.perSecond}/s, p99`, 'watchP99Ms'),
    time(`${fan}, p50`, 'fanOutP50Ms'),
    time(`${fan}, p99`, 'fanOutP99Ms'),
    {
      title: `${fan}, delivered`,
      quantity: 'fanOutDelivered',
      format: (part) => `${(part * 100).toFixed(1)} %`,
      isRate: true,
    },
  ];
}

function rate(title: string, quantity: string): Row {
  return { title, quantity, format: formatRate, isRate: true };
}

function time(title: string, quantity: string): Row {
  return { title, quantity, format: milliseconds };
}

function memory(title: string, quantity: string): Row {
  return { title, quantity, format: formatMebibytes };
}

function milliseconds(value: number): string {
  return formatSeconds(value / 1000);
}

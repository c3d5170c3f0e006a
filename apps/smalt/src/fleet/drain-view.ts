import type { Eviction, EvictionInstance, Hypervisor } from '@smalt/fleet-api';
import type { MigrationUsage, VirtualMachineInstance } from '@smalt/vm-api';

import { byteText } from '../image/byte-text.ts';
import { durationText } from '../output/duration-text.ts';
import type { Paint } from '../output/live-screen.ts';
import { progressBar } from '../output/progress-bar.ts';
import { printableText } from '../printable-text.ts';
import { migrationText } from '../virtual-machines/migration-text.ts';

/** What is known of a host that is being emptied. */
export interface DrainState {
  readonly host: string;
  readonly hypervisor: Hypervisor | undefined;
  readonly eviction: Eviction | undefined;
  /** The machines that are on it, or were on it when this began. */
  readonly instances: readonly VirtualMachineInstance[];
  /** How far those are that move, by `namespace/name`. */
  readonly moves: ReadonlyMap<string, MigrationUsage>;
}

interface DrainRow {
  readonly name: string;
  readonly text: string;
  readonly mood: 'plain' | 'good' | 'bad' | 'faint';
}

const BAR = 20;
const MOST_ROWS = 200;
const STATES: Readonly<Record<EvictionInstance['state'], string>> = {
  Waiting: 'waits for its turn',
  Moving: 'is on its way',
  Confirming: 'its move is being confirmed',
  Aborting: 'its move took too long and is being stopped',
  Failed: 'could not be moved',
  NonMigratable: 'cannot be moved',
};

/** Draws a host that is being emptied: a line for the host, and one for each machine. */
export function drainLines(state: DrainState, paint: Paint): readonly string[] {
  const rows = rowsOf(state);
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return [
    headLine(state, paint),
    ...rows.map(({ name, text, mood }) => {
      const shown = mood === 'plain' ? text : paint[mood](text);
      return `  ${name.padEnd(width)}  ${shown}`;
    }),
  ];
}

function headLine({ host, hypervisor, eviction }: DrainState, paint: Paint): string {
  const phase = hypervisor?.status?.lifecycleState ?? '';
  const { progress } = eviction?.status ?? {};
  const words = [paint.strong(host), phase].filter((each) => each !== '');
  if (progress === undefined) return words.join('  ');
  const { total, moved, moving, failed, mibPerSecond, secondsLeft } = progress;
  const share = total === 0 ? 1 : moved / total;
  const facts = [
    `${moved} of ${total} have left`,
    ...(moving === 0 ? [] : [`${moving} on their way`]),
    ...(failed === 0 ? [] : [paint.bad(`${failed} failed`)]),
    ...(mibPerSecond === undefined ? [] : [`${byteText(mibPerSecond * 1_048_576)}/s`]),
    ...(secondsLeft === undefined ? [] : [`about ${durationText(secondsLeft * 1_000)} left`]),
  ];
  return [...words, progressBar(share, BAR), facts.join(', ')].join('  ');
}

function rowsOf(state: DrainState): readonly DrainRow[] {
  const { instances, eviction, host } = state;
  const told = new Map((eviction?.status?.instances ?? []).map((each) => [each.id, each]));
  const machines = instances.map((instance) => {
    const name = keyOf(instance);
    const entry = told.get(name) ?? told.get(instance.metadata.uid ?? '');
    told.delete(entry?.id ?? '');
    return machineRow(state, instance, entry);
  });
  // What runs elsewhere than in this cluster is known by the eviction alone.
  const others = [...told.values()].map((entry) => ({ name: entry.name ?? entry.id, ...entryWords(entry) }));
  const rows = [...machines, ...others].map((row) => ({ ...row, name: printableText(row.name) }));
  const left = rows.length - MOST_ROWS;
  if (left <= 0) return rows;
  return [...rows.slice(0, MOST_ROWS), { name: `and ${left} more on ${host}`, text: '', mood: 'faint' }];
}

function machineRow(
  { moves, host }: DrainState,
  instance: VirtualMachineInstance,
  entry: EvictionInstance | undefined,
): DrainRow {
  const name = keyOf(instance);
  const node = instance.status?.nodeName ?? '';
  if (node !== host) return { name, text: node === '' ? 'is off' : `runs on ${node}`, mood: 'good' };
  const move = moves.get(name);
  if (move !== undefined) return { name, text: migrationText(move, BAR), mood: 'plain' };
  if (entry !== undefined) return { name, ...entryWords(entry) };
  const target = instance.status?.migrationState?.targetNode ?? '';
  const isMoving = target !== '' && instance.status?.migrationState?.completed !== true;
  return {
    name,
    text: isMoving ? `is on its way to ${target}` : 'waits for its turn',
    mood: isMoving ? 'plain' : 'faint',
  };
}

function entryWords({ state, message, attempts }: EvictionInstance): Pick<DrainRow, 'text' | 'mood'> {
  const isBad = state === 'Failed' || state === 'NonMigratable';
  const again = attempts > 1 ? `, ${attempts} attempts` : '';
  const why = message === undefined || message === '' ? '' : `: ${printableText(message)}`;
  return { text: `${STATES[state]}${again}${why}`, mood: isBad ? 'bad' : state === 'Waiting' ? 'faint' : 'plain' };
}

export function keyOf({ metadata: { namespace = '', name } }: VirtualMachineInstance): string {
  return `${namespace}/${name}`;
}

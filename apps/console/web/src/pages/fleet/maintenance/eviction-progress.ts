import type { Eviction } from '@smalt/fleet-api';

import type { Tone } from '../../../parts/status-badge.tsx';

/** One machine that has to leave a host, and how far it is. */
export interface LeavingMachine {
  readonly id: string;
  readonly name: string;
  readonly words: string;
  readonly tone: Tone;
  readonly message: string;
  readonly since: string | undefined;
}

/** How far a host is emptied, for people. */
export interface EvictionPicture {
  /** From 0 to 1. */
  readonly fraction: number;
  /** Such as `3 of 8 have left, 2 are moving, about 40 s to go`. */
  readonly words: string;
  readonly isOver: boolean;
  readonly machines: readonly LeavingMachine[];
}

type InstanceState = NonNullable<NonNullable<Eviction['status']>['instances']>[number]['state'];

const STATES: Readonly<Record<InstanceState, { readonly words: string; readonly tone: Tone }>> = {
  Waiting: { words: 'Waits for its turn', tone: 'quiet' },
  Moving: { words: 'Is moving', tone: 'busy' },
  Confirming: { words: 'Has moved, to be confirmed', tone: 'busy' },
  Aborting: { words: 'Its move is being stopped', tone: 'warning' },
  Failed: { words: 'Could not be moved', tone: 'bad' },
  NonMigratable: { words: 'Cannot be moved', tone: 'bad' },
};

/** Those that are known to move or to have failed come first, then those that only wait. */
export function pictureEviction({ status }: Eviction): EvictionPicture {
  const { instances = [], outstandingInstances = [], progress } = status ?? {};
  const known = instances.map(({ id, name = id, state, message = '', since }) => {
    return { id, name, ...STATES[state], message, since: since ?? undefined };
  });
  const ids = new Set(known.map(({ id }) => id));
  // The last one of the list is the next.
  const waiting = outstandingInstances
    .filter((id) => !ids.has(id))
    .toReversed()
    .map((id) => ({ id, name: id, ...STATES.Waiting, message: '', since: undefined }));
  const condition = status?.conditions?.find(({ type }) => type === 'Evicting');
  const isOver = condition?.status === 'False';
  const { moved = 0, total = 0 } = progress ?? {};
  return {
    fraction: total > 0 ? moved / total : isOver ? 1 : 0,
    words: progress === undefined ? (condition?.message ?? 'It has not begun yet') : progressWords(progress),
    isOver,
    machines: [...known, ...waiting],
  };
}

type Progress = NonNullable<NonNullable<Eviction['status']>['progress']>;

function progressWords({ moved, total, moving, failed, secondsLeft, mibPerSecond }: Progress): string {
  return [
    `${moved} of ${total} have left`,
    ...(moving > 0 ? [`${moving} moving`] : []),
    ...(failed > 0 ? [`${failed} could not be moved`] : []),
    ...(mibPerSecond === undefined || mibPerSecond === 0 ? [] : [`${mibPerSecond} MiB/s`]),
    ...(secondsLeft === undefined || secondsLeft === 0 ? [] : [`about ${secondsLeft} s to go`]),
  ].join(', ');
}

import type { SignalSource } from '@smalt/failure-detection';

import { applySample, clampTimes, type SignalTimes, type TimedSample } from './apply-sample.ts';

export interface HostSample extends TimedSample {
  readonly host: string;
  readonly source: SignalSource;
}

export interface SignalChange extends SignalTimes {
  readonly host: string;
  readonly source: SignalSource;
}

/** What is stored, by host and source. */
export type StoredSignals = ReadonlyMap<string, ReadonlyMap<string, SignalTimes>>;

/** What is to be written after some samples, all in the store's time. */
export function foldSamples(
  samples: readonly HostSample[],
  stored: StoredSignals,
  now: number,
): readonly SignalChange[] {
  const changes = new Map<string, Map<SignalSource, SignalChange>>();
  for (const sample of samples) {
    const { host, source } = sample;
    let ofHost = changes.get(host);
    if (ofHost === undefined) {
      ofHost = new Map();
      changes.set(host, ofHost);
    }
    const known = ofHost.get(source) ?? stored.get(host)?.get(source);
    const clamped = known && clampTimes(known, now);
    const next =
      applySample(comparable(known, clamped, sample), sample) ?? (isSame(known, clamped) ? undefined : clamped);
    if (next !== undefined) ofHost.set(source, { host, source, ...pick(next) });
  }
  return Array.from(changes.values(), (ofHost) => [...ofHost.values()]).flat();
}

/**
 * Life that was noted before a clock was set back cannot be compared with what is told now. To take it as of now would let
 * hosts seem to live that have been dead for long, so the next sign of life takes its place, however old that is.
 */
function comparable(
  known: SignalTimes | undefined,
  clamped: SignalTimes | undefined,
  { kind }: HostSample,
): SignalTimes | undefined {
  return clamped !== undefined && kind === 'alive' && known?.aliveAt !== clamped.aliveAt
    ? { ...clamped, aliveAt: null }
    : clamped;
}

function pick({ aliveAt, deadSince, deadAt }: SignalTimes): SignalTimes {
  return { aliveAt, deadSince, deadAt };
}

function isSame(one: SignalTimes | undefined, other: SignalTimes | undefined): boolean {
  return one?.aliveAt === other?.aliveAt && one?.deadSince === other?.deadSince && one?.deadAt === other?.deadAt;
}

import type { GuestPingState } from '@smalt/ha-telemetry';

/** What came of one ping. Excused: the guest could not be expected to answer, or nobody can tell. */
export type PingResult = 'answered' | 'missed' | 'excused';

/** What is known of the agent in one guest, from one start of the guest to its end. */
export interface GuestPulse {
  /** Only the silence of one that has answered means anything. */
  readonly hasAnswered: boolean;
  /** Pings in a row that it missed, and when it missed the first. */
  readonly misses: number;
  readonly since: string | undefined;
  /** When its silence was last told, in milliseconds of a clock that nobody can set. */
  readonly toldAt: number | undefined;
}

/** What the service is told. */
interface PulseNews {
  readonly state: GuestPingState;
  readonly misses: number;
  readonly since: string;
}

interface PulseStep {
  readonly pulse: GuestPulse;
  readonly news: PulseNews | undefined;
}

interface PulseMoment {
  readonly milliseconds: number;
  readonly time: string;
}

const TELL_AGAIN_MS = 60_000;

/** One of whom nothing is known yet. */
export const unknownPulse: GuestPulse = { hasAnswered: false, misses: 0, since: undefined, toldAt: undefined };

/** Takes in one ping, and says what is told of it: the beginning of a silence, that it lasts, and its end. */
export function nextPulse(before: GuestPulse, result: PingResult, misses: number, at: PulseMoment): PulseStep {
  switch (result) {
    case 'answered':
      return {
        pulse: { ...unknownPulse, hasAnswered: true },
        news: isTold(before) ? newsOf(before, 'answers') : undefined,
      };
    case 'missed':
      return before.hasAnswered ? missed(before, misses, at) : { pulse: before, news: undefined };
    case 'excused':
      // A row that is interrupted is none; a silence that was told ends with an answer only.
      return { pulse: isTold(before) ? before : { ...before, misses: 0, since: undefined }, news: undefined };
  }
}

/** The guest begins anew or its agent does: it has to answer again before its silence means anything. */
export function doubtedPulse(before: GuestPulse): GuestPulse {
  return isTold(before) ? { ...before, hasAnswered: false } : unknownPulse;
}

/** Whether the service was told of its silence, and of no answer since. */
export function isTold({ toldAt }: GuestPulse): boolean {
  return toldAt !== undefined;
}

function missed(before: GuestPulse, needed: number, { milliseconds, time }: PulseMoment): PulseStep {
  const pulse = { ...before, misses: before.misses + 1, since: before.since ?? time };
  const isDue = before.toldAt === undefined || milliseconds - before.toldAt >= TELL_AGAIN_MS;
  if (pulse.misses < needed || !isDue) return { pulse, news: undefined };
  return { pulse: { ...pulse, toldAt: milliseconds }, news: newsOf(pulse, 'silent') };
}

function newsOf({ misses, since }: GuestPulse, state: GuestPingState): PulseNews | undefined {
  return since === undefined ? undefined : { state, misses, since };
}

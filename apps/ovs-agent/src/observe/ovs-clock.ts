import type { Clock } from '@smalt/controller-runtime';
import type { Clock as OvsClock } from '@smalt/ovs';

/** A clock as the client of Open vSwitch wants it: one that nobody can set. */
export function ovsClock(clock: Clock): OvsClock {
  return {
    now: () => clock.monotonic(),
    schedule: (callback, delayMs) => (delayMs === Infinity ? () => undefined : clock.later(delayMs, callback)),
  };
}

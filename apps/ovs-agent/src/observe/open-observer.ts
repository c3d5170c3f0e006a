import { SouthboundWatch } from '../southbound/southbound-watch.ts';
import { GuestWatch } from './guest-watch.ts';
import type { ObserverOptions } from './observer-options.ts';
import { steadyClock } from './steady-clock.ts';
import { SwitchObserver } from './switch-observer.ts';
import { openSwitchSources } from './switch-sources.ts';

/** Opens everything that is observed, into a stack that closes it. It observes while it is run. */
export function openObserver(given: ObserverOptions, stack: AsyncDisposableStack): SwitchObserver {
  const options = { ...given, clock: steadyClock(given.clock) };
  const sources = openSwitchSources(options, stack);
  const { southbound, libvirtUri, times } = options;
  return new SwitchObserver(options, {
    ...sources,
    southbound:
      southbound &&
      new SouthboundWatch({
        ...options,
        ...southbound,
        scanMs: times.scanMs,
        openFlow: (bridge, signal) => sources.flowTables.open(bridge, signal),
      }),
    guests:
      libvirtUri === undefined ? undefined : new GuestWatch({ ...options, uri: libvirtUri, pollMs: times.guestsMs }),
  });
}

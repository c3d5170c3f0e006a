import { decideLauncher } from './decide-launcher.ts';
import type { GuestCgroup } from './guest-cgroup.ts';
import { LauncherError } from './launcher-error.ts';
import type { LauncherFlags } from './parse-flags.ts';

export interface LauncherDependencies {
  readonly guest: GuestCgroup;
  readonly log: (message: string) => void;
  /** In milliseconds, from a clock that cannot be set. */
  readonly monotonic: () => number;
}

/**
 * Holds the place of a guest: comes back when the guest has come and ended, or once the signal has fired and the guest
 * ended in its grace period or was killed. Throws `guest-survived` when even that did not help.
 */
export async function runLauncher(
  { guest, log, monotonic }: LauncherDependencies,
  { gracePeriodMs }: Pick<LauncherFlags, 'gracePeriodMs'>,
  terminating: AbortSignal,
): Promise<void> {
  const bell = new Bell();
  let terminatedAt: number | undefined;
  let hasSeenGuest = false;
  using _watch = guest.watch(() => bell.ring());
  const onTerminate = (): void => {
    terminatedAt = monotonic();
    log('told to end; waiting for the guest to');
    bell.ring();
  };
  terminating.addEventListener('abort', onTerminate, { once: true });
  if (terminating.aborted) onTerminate();
  for (;;) {
    const isPopulated = await guest.isPopulated();
    if (isPopulated && !hasSeenGuest) log('the guest is here');
    hasSeenGuest ||= isPopulated;
    const terminatingForMs = terminatedAt === undefined ? undefined : monotonic() - terminatedAt;
    const step = decideLauncher({ isPopulated, hasSeenGuest, terminatingForMs, gracePeriodMs });
    switch (step.kind) {
      case 'wait':
        await bell.wait(step.forMs);
        break;
      case 'kill-guest':
        log('the grace period is over; killing the guest');
        await killGuest(guest);
        break;
      case 'end':
        return log(step.why);
    }
  }
}

async function killGuest(guest: GuestCgroup): Promise<void> {
  try {
    await guest.kill(new AbortController().signal);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LauncherError('guest-survived', `the guest cannot be killed: ${reason}`, { cause });
  }
}

/** Remembers one ring, so that none is lost between two waits. */
class Bell {
  #ring = Promise.withResolvers<void>();

  ring(): void {
    this.#ring.resolve();
  }

  async wait(milliseconds: number): Promise<void> {
    const ring = this.#ring;
    const timer = Number.isFinite(milliseconds) ? setTimeout(() => ring.resolve(), milliseconds) : undefined;
    await ring.promise;
    clearTimeout(timer);
    this.#ring = Promise.withResolvers<void>();
  }
}

import { isSystemdError } from '../systemd-error.ts';
import { backOffDelayMs } from './back-off.ts';
import type { Bus } from './bus.ts';
import { pause } from './pause.ts';
import { ServiceFollowing, type Follower } from './service-following.ts';

export interface FollowContext {
  readonly bus: Bus;
  readonly onWarning: (warning: Error) => void;
}

/** Follows a service, however often it or the bus comes and goes, until the signal fires, and returns then. */
export async function followService(context: FollowContext, follower: Follower, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    try {
      const connection = await context.bus.keeper.connected(signal);
      await new ServiceFollowing(context.bus, connection, follower).run(signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isSystemdError(error) || error.code === 'closed') throw error;
      failures += 1;
      context.onWarning(error);
      await pause(backOffDelayMs(failures, {}, 1), signal).catch(() => undefined);
    }
  }
}

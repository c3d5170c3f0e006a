import type { EngineContext } from '../engine-context.ts';
import type { FleetLook } from './fleet-look.ts';

/** How long after a look is due it may be missing before nothing is decided without it. */
const PATIENCE_MS = 10_000;

interface LookContext extends Pick<EngineContext, 'settings'> {
  readonly latestLook: () => FleetLook | undefined;
}

/** The last look, unless it is too old: a sign of life may have come since, even while the machine slept. */
export function freshLook({ latestLook, settings }: LookContext): FleetLook | undefined {
  const { lookIntervalMs, callTimeoutMs } = settings();
  const look = latestLook();
  const mostMs = lookIntervalMs + Math.min(callTimeoutMs, PATIENCE_MS);
  return look !== undefined && look.begun.ageMs() <= mostMs ? look : undefined;
}

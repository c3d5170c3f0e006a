import type { EngineContext } from '../engine-context.ts';
import type { FleetLook } from '../fleet/fleet-look.ts';
import type { FleetWatch } from '../fleet/fleet-watch.ts';

/** What those share who work on single hosts and instances. */
export interface WorkerContext extends EngineContext {
  readonly fleet: FleetWatch;
  /** The last look that came to an end. */
  readonly latestLook: () => FleetLook | undefined;
}

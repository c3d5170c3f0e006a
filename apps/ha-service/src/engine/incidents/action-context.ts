import type { HostIdentity } from '@smalt/compute';
import type { Incident } from '@smalt/failure-detection';

import type { EngineContext } from '../engine-context.ts';
import type { IncidentMemory } from './incident-memory.ts';
import type { SuspectWatch } from '../fleet/suspect-watch.ts';

/** What an action of an incident is carried out with. */
export interface ActionContext extends EngineContext {
  readonly incident: Incident;
  /** undefined when nobody knows the host's ids any more. */
  readonly identity: HostIdentity | undefined;
  readonly memory: IncidentMemory;
  readonly suspects: SuspectWatch;
  /** Called when there is an answer. */
  readonly onAnswer: () => void;
}

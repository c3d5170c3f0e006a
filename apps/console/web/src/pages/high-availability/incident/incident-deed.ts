import type { ActWords } from '../../../frame/notices/use-act.ts';

/** What a person can say about an incident. */
export type IncidentDeed = 'confirm-off' | 'close' | 'release';

/** How it is told that something was said, or was not taken. */
export function incidentDeedWords(deed: IncidentDeed, host: string): ActWords {
  switch (deed) {
    case 'confirm-off':
      return { done: `${host} counts as off`, failed: `${host} does not count as off` };
    case 'close':
      return { done: `The incident of ${host} is closed`, failed: `The incident of ${host} is still open` };
    case 'release':
      return { done: `${host} returns once it shows life`, failed: `${host} is still held` };
  }
}

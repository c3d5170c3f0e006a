import { useSyncExternalStore } from 'react';

import { useServices } from '../services.ts';
import type { Session } from './session.ts';

export function useSession(): Session {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, session.session);
}

/** Whether there is an HA service behind this console. */
export function useHasHighAvailability(): boolean {
  const session = useSession();
  return session.kind === 'signedIn' && session.hasHighAvailability;
}

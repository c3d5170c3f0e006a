import { useSyncExternalStore } from 'react';

import { useServices } from '../services.ts';
import type { ConnectionState } from './live-connection.ts';

export function useConnectionState(): ConnectionState {
  const { connection } = useServices();
  return useSyncExternalStore(connection.subscribe, () => connection.state);
}

import { createContext, useContext } from 'react';

import type { ApiClient } from './api/api-client.ts';
import type { Rights } from './api/rights.ts';
import type { SessionKeeper } from './api/session.ts';
import type { NoticeBoard } from './frame/notices/notice-board.ts';
import type { LiveConnection } from './live/live-connection.ts';
import type { LiveStore } from './live/live-store.ts';

/** What every page may use. */
export interface Services {
  readonly api: ApiClient;
  readonly rights: Rights;
  readonly session: SessionKeeper;
  readonly connection: LiveConnection;
  readonly live: LiveStore;
  readonly notices: NoticeBoard;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error('A page is drawn outside of ServicesContext');
  return services;
}

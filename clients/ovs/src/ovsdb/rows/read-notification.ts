import type { JsonValue } from '@smalt/json';

import { OvsError } from '../../ovs-error.ts';
import type { MonitorUpdate } from './followed-tables.ts';

/** What a server tells without being asked. */
export type Notification =
  | { readonly kind: 'update'; readonly id: JsonValue; readonly update: MonitorUpdate }
  | { readonly kind: 'canceled'; readonly id: JsonValue }
  | { readonly kind: 'unknown' };

/** Reads a notification. One that is known, but lacks what it is about, is a `protocol` error. */
export function readNotification(method: string, params: readonly JsonValue[]): Notification {
  const [id, second, third] = params;
  switch (method) {
    case 'update':
    case 'update2': {
      if (id === undefined || second === undefined) break;
      return { kind: 'update', id, update: { version: method === 'update' ? 1 : 2, updates: second } };
    }
    case 'update3': {
      if (id === undefined || typeof second !== 'string' || third === undefined) break;
      return { kind: 'update', id, update: { version: 2, updates: third, transaction: second } };
    }
    case 'monitor_canceled':
      return { kind: 'canceled', id: id ?? null };
    default:
      return { kind: 'unknown' };
  }
  throw new OvsError('protocol', `${method} comes without what it is about`);
}

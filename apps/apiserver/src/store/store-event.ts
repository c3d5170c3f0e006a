import type { StoredObject } from './stored-object.ts';

/** One change of one object. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: string;
  readonly resourceVersion: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The object after the change; of a deletion its last state, with the resourceVersion of the deletion. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
}

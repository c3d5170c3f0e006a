import type { JsonObject } from '@smalt/json';

import type { AskingUser } from './requester-of.ts';

/** A write that is about to happen, whoever tells of it: the server in this process, or a webhook's review. */
export interface AdmissionWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly group: string;
  readonly plural: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  /** Empty when the name has yet to be generated. */
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly user: AskingUser;
  readonly dryRun: boolean;
  /** Whether it is certain that the API server tells of it. A review may be sent by anybody, in anybody's name. */
  readonly isProven: boolean;
}

import type { IncomingMessage } from 'node:http';

import { HaServiceError } from '../ha-service-error.ts';

/** Somebody else for whom a request is made, as the headers of Kubernetes name them. */
export interface Behalf {
  readonly name: string;
  readonly groups: readonly string[];
}

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const PREFIX = 'impersonate-';
const MOST_GROUPS = 200;

/** Reads for whom a request is made; undefined when it is for who makes it. Refuses what is half said. */
export function readBehalf(headers: IncomingMessage['headersDistinct']): Behalf | undefined {
  const names = Object.keys(headers).filter((name) => name.startsWith(PREFIX));
  if (names.length === 0) return undefined;
  const other = names.find((name) => name !== USER && name !== GROUP);
  if (other !== undefined) throw invalid(other, 'is not understood here');
  const [name = '', ...more] = headers[USER] ?? [];
  const groups = headers[GROUP] ?? [];
  if (name === '' || more.length > 0) throw invalid(USER, 'has to name one user');
  if (groups.length > MOST_GROUPS) throw invalid(GROUP, `may be there ${MOST_GROUPS} times`);
  return { name: textOf(USER, name), groups: groups.map((group) => textOf(GROUP, group)) };
}

/** The refusal of somebody who names another without the right to. */
export function mayNotSpeakForOthers(who: string): HaServiceError {
  const next = 'it takes the verb impersonate on hypervisors/highavailability in kvm.cloud.sap';
  return new HaServiceError('forbidden', `${who} may not ask on behalf of others: ${next}`);
}

/** Headers are bytes, and those of clients UTF-8; the journal must not be told two lines for one. */
function textOf(field: string, value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8');
  if (text.length > 253 || /[\p{Cc}\p{Zl}\p{Zp}\uFFFD]/u.test(text)) throw invalid(field, 'is no name');
  return text;
}

function invalid(field: string, why: string): HaServiceError {
  return new HaServiceError('invalid-request', `${field} ${why}`, { field });
}

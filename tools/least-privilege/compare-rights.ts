import type { AccountRequest } from './account-request.ts';
import { rightText, type Right } from './granted-rights.ts';
import { isCovered, kindOf } from './right-of-request.ts';
import { isWithoutRights, type RightsAway } from './rights-away.ts';

/** A right that no story uses and that stays all the same, or a refusal that is no fault. */
export interface PrivilegeException {
  /** For rights: in the words of `rightText`. For refusals: in those of `refusalText`. */
  readonly pattern: RegExp;
  readonly reason: string;
  /** It takes chance to see it, so a run without it says nothing. Of rights: to see it used, and it stays as long as it is given. */
  readonly isByChance?: true;
}

export interface Compared {
  /** What an account asked for and was refused. */
  readonly refusals: readonly string[];
  /** What an account may do and nobody did. */
  readonly unused: readonly string[];
  /** Exceptions that are no longer any. */
  readonly stale: readonly string[];
}

export interface Comparison {
  readonly rights: readonly Right[];
  readonly requests: readonly AccountRequest[];
  /** Rights that need not be used. */
  readonly notShown: readonly PrivilegeException[];
  /** Refusals that have to be. */
  readonly provoked: readonly PrivilegeException[];
  /** Where what the chart gives may be refused. */
  readonly rightsAway: readonly RightsAway[];
}

export const FORBIDDEN = 403;
const UNAUTHORIZED = 401;
/** Compares what accounts may do with what they did. */
export function compareRights({ rights, requests, notShown, provoked, rightsAway }: Comparison): Compared {
  const accounts = new Set(rights.map(({ account }) => account));
  const ours = requests.filter(({ account }) => accounts.has(account));
  const refused = ours.filter(({ code }) => code === FORBIDDEN);
  const refusals = new Set(refused.filter((each) => !isWithoutRights(each, rights, rightsAway)).map(refusalText));
  const used = useOf(ours);
  const unused = rights.filter((right) => !used(right)).map(rightText);
  return {
    refusals: [...refusals].filter((text) => !provoked.some(({ pattern }) => pattern.test(text))).toSorted(),
    unused: unused.filter((text) => !notShown.some(({ pattern }) => pattern.test(text))).toSorted(),
    stale: [
      ...notShown
        .filter((each) => !isAmong(each.isByChance === true ? rights.map(rightText) : unused, each))
        .map(({ pattern }) => `right ${pattern.source}`),
      ...provoked
        .filter((each) => each.isByChance !== true && !isAmong(refusals, each))
        .map(({ pattern }) => `refusal ${pattern.source}`),
    ],
  };
}

/** Whether any of these is what the exception is about. */
export function isAmong(texts: Iterable<string>, { pattern }: PrivilegeException): boolean {
  return [...texts].some((text) => pattern.test(text));
}

/** A refusal in words, with the test that saw it. */
export function refusalText(request: AccountRequest): string {
  const { account, verb, uri, message, story } = request;
  return `${account}: ${verb} ${uri.split('?')[0] ?? ''} in ${story}: ${message}`;
}

/** Whether a right was used, by what was asked and not refused. */
function useOf(requests: readonly AccountRequest[]): (right: Right) => boolean {
  const allowed = requests.filter(({ code }) => code !== FORBIDDEN && code !== UNAUTHORIZED);
  const byKind = Map.groupBy(allowed, kindOf);
  return (right) => (byKind.get(kindOf(right)) ?? []).some((each) => isCovered(each, right));
}

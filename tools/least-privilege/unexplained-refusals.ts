import type { AccountRequest } from './account-request.ts';
import { FORBIDDEN, isAmong, refusalText, type PrivilegeException } from './compare-rights.ts';
import type { Right } from './granted-rights.ts';
import { storyDirectory } from './plan-runs.ts';
import { isWithoutRights, type RightsAway } from './rights-away.ts';

export interface RefusalRules {
  readonly rights: readonly Right[];
  /** Refusals that tests provoke. */
  readonly provoked: readonly PrivilegeException[];
  /** Where what the chart gives may be refused: a real server refuses everybody until it has read its roles, and roles may be taken away. */
  readonly rightsAway: readonly RightsAway[];
}

/** What accounts of the chart were refused on the real API server and no exception explains, each once. The story is the test file. */
export function unexplainedRefusals(requests: readonly AccountRequest[], rules: RefusalRules): readonly string[] {
  const { rights, provoked, rightsAway } = rules;
  const accounts = new Set(rights.map(({ account }) => account));
  const isProvoked = (request: AccountRequest): boolean =>
    provoked.some((each) => isAmong([textOfException(request)], each));
  const left = requests
    .filter(({ account, code }) => accounts.has(account) && code === FORBIDDEN)
    .filter((each) => !isProvoked(each))
    .filter((each) => !isWithoutRights(each, rights, rightsAway));
  return [...new Set(left.map(refusalText))].toSorted();
}

/** Refusals that tests should have provoked and that nobody was given: the exception is of no use any more, or its test of none. */
export function staleProvocations(
  requests: readonly AccountRequest[],
  provoked: readonly PrivilegeException[],
): readonly string[] {
  const texts = requests.filter(({ code }) => code === FORBIDDEN).map(textOfException);
  return provoked
    .filter((each) => each.isByChance !== true && !isAmong(texts, each))
    .map(({ pattern }) => pattern.source);
}

/** A refusal in the words that exceptions know it by. */
function textOfException(request: AccountRequest): string {
  return refusalText({ ...request, story: storyDirectory(request.story, 'kubernetes') });
}

import type { AccountRequest } from './account-request.ts';
import type { Right } from './granted-rights.ts';
import { storyDirectory } from './plan-runs.ts';
import { isRightTo } from './right-of-request.ts';

/** A test in which components run for a moment without the rights that the chart gives them, and why. */
export interface RightsAway {
  readonly file: string;
  readonly reason: string;
}

/** What a role does not give is refused in these words, ours and those of Kubernetes; a policy has words of its own. */
const BY_ROLE = /cannot \S+ (?:resource|path)/v;

/** Whether a request was refused what the chart gives, in a test in which that is away for a while. Its story is the file, or a run of it. */
export function isWithoutRights(
  request: AccountRequest,
  rights: readonly Right[],
  rightsAway: readonly RightsAway[],
): boolean {
  const isAway = rightsAway.some(({ file }) =>
    [file, storyDirectory(file, 'ours'), storyDirectory(file, 'kubernetes')].includes(request.story),
  );
  return isAway && BY_ROLE.test(request.message) && rights.some((right) => isRightTo(request, right));
}

import { followService, type FollowContext } from '../bus/follow-service.ts';
import { readUntilAborted } from '../bus/read-until-aborted.ts';
import { SystemdError } from '../systemd-error.ts';
import type { UnitChange } from '../systemd.ts';
import { UnitChanges } from './unit-changes.ts';
import { UnitFollower } from './unit-follower.ts';
import { checkUnitName } from './unit-name.ts';

/** A bus allows a connection a few hundred rules. */
const MAX_UNITS = 200;

/** Tells of changes of these units until the signal fires. */
export function watchUnits(
  context: FollowContext,
  names: readonly string[],
  signal: AbortSignal,
): AsyncIterable<UnitChange> {
  for (const name of names) checkUnitName(name);
  if (names.length > MAX_UNITS) {
    throw new SystemdError('invalid-argument', `${names.length} units cannot be watched at once, ${MAX_UNITS} can`);
  }
  const changes = new UnitChanges();
  const follower = new UnitFollower(names, changes);
  return readUntilAborted(changes, (both) => followService(context, follower, both), signal);
}

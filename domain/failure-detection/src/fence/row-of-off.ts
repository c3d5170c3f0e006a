import type { RecoverySettings } from '../detection-settings.ts';
import type { Incident, PowerReading } from '../incident/incident.ts';

type RowSettings = Pick<RecoverySettings, 'offReadings'>;

/** The levels that were told to power the host off, in the order of the methods. */
export function orderedLevels({ fences }: Incident): readonly number[] {
  return [...new Set(fences.map(({ level }) => level))].toSorted((a, b) => a - b);
}

/**
 * The readings that count: those of a level after it was told to power the host off. An outlet that was never told
 * so is on while the host is off, and one that says off shows nothing.
 */
export function countedReadings({ readings, fences }: Incident): readonly PowerReading[] {
  const orders = new Map(fences.toReversed().map(({ level, askedAt }) => [level, askedAt]));
  return readings.filter(({ level, at }) => at >= (orders.get(level) ?? Number.POSITIVE_INFINITY));
}

/** A row of `off` by one level that is long enough, with no `on` by anybody, and no sign of life seen, since it began. */
export function rowOfOff(incident: Incident, { offReadings }: RowSettings): readonly PowerReading[] | undefined {
  const counted = countedReadings(incident);
  const { seenAt = Number.NEGATIVE_INFINITY } = incident.lifeSign ?? {};
  const since = counted
    .slice(counted.findLastIndex(({ power }) => power === 'on') + 1)
    .filter(({ at }) => at >= seenAt);
  for (const level of orderedLevels(incident)) {
    const row = lastRow(since.filter((reading) => reading.level === level));
    if (row.length >= offReadings) return row;
  }
  return undefined;
}

/** The readings of `off` since the last one that said anything else, or came from another device. */
function lastRow(readings: readonly PowerReading[]): readonly PowerReading[] {
  const method = readings.at(-1)?.method;
  const broken = readings.findLastIndex((reading) => reading.power !== 'off' || reading.method !== method);
  const sessions = new Set<string>();
  return readings.slice(broken + 1).filter(({ session }) => {
    const isFresh = !sessions.has(session);
    sessions.add(session);
    return isFresh;
  });
}

/**
 * The level that says `on`, if one does. One that has fallen silent since may have lost its power with the host; but as
 * many failures as make a proof are needed to believe that, and answers that were lost are none.
 */
export function objector(incident: Incident, { offReadings }: RowSettings): number | undefined {
  return orderedLevels(incident).find((level) => {
    const { lastWord, failures } = lastOf(incident, level);
    return lastWord?.power === 'on' && failures.length < offReadings;
  });
}

/**
 * A level that may say something else than a row of `off` by another one, and was not asked since that began: it has neither
 * said `off`, nor failed to answer so often that it has to be taken for silent.
 */
export function unheard(
  incident: Incident,
  row: readonly PowerReading[],
  { offReadings }: RowSettings,
): number | undefined {
  const [first] = row;
  return orderedLevels(incident).find((level) => {
    if (first === undefined || first.level === level) return false;
    const { lastWord, failures } = lastOf(incident, level);
    if (failures.length === 0) return lastWord === undefined || lastWord.at < first.at;
    const isSilent = failures.length >= offReadings && (failures.at(-1)?.at ?? 0) >= first.at;
    return !isSilent && !(lastWord?.power === 'off' && lastWord.at >= first.at);
  });
}

/** The last reading of a level that said anything, and the failures since. */
function lastOf(incident: Incident, level: number) {
  const own = countedReadings(incident).filter((reading) => reading.level === level);
  const last = own.findLastIndex(({ power }) => power !== 'unknown');
  return { lastWord: own[last], failures: own.slice(last + 1).filter(({ isLost }) => isLost !== true) };
}

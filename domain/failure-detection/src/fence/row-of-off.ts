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

/** A row of `off` by one level that is long enough, with none of `on` by anybody since it began. */
export function rowOfOff(incident: Incident, { offReadings }: RowSettings): readonly PowerReading[] | undefined {
  const counted = countedReadings(incident);
  const since = counted.slice(counted.findLastIndex(({ power }) => power === 'on') + 1);
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
  const counted = countedReadings(incident);
  return orderedLevels(incident).find((level) => {
    const own = counted.filter((reading) => reading.level === level);
    const known = own.findLastIndex(({ power }) => power !== 'unknown');
    const failures = own.slice(known + 1).filter(({ isLost }) => isLost !== true);
    return own[known]?.power === 'on' && failures.length < offReadings;
  });
}

import {
  ConnectGetAllDomainStatsFlags,
  DomainStatsTypes,
  isLibvirtError,
  type DomainStatsRecord,
  type LibvirtSession,
} from '@smalt/libvirt';

const STATISTICS =
  DomainStatsTypes.state |
  DomainStatsTypes.cpuTotal |
  DomainStatsTypes.balloon |
  DomainStatsTypes.vcpu |
  DomainStatsTypes.interface |
  DomainStatsTypes.block;
/** After this nobody waits for a daemon any more. */
const TIMEOUT_MS = 5_000;

export type StatisticsSession = Pick<LibvirtSession, 'connectGetAllDomainStats' | 'state' | 'uri'>;

/** What all guests of a libvirt use, by one call. */
export async function readStatistics(session: StatisticsSession): Promise<readonly DomainStatsRecord[]> {
  const { active, nowait } = ConnectGetAllDomainStatsFlags;
  const read = (extra: number): Promise<readonly DomainStatsRecord[]> =>
    session.connectGetAllDomainStats(
      { domains: [], stats: STATISTICS, flags: active | extra },
      { timeoutMs: TIMEOUT_MS },
    );
  try {
    return await read(nowait);
  } catch (error) {
    // Not every driver knows how to skip a guest that is busy with something else.
    if (!isLibvirtError(error, 'invalid-arg')) throw error;
    return await read(0);
  }
}

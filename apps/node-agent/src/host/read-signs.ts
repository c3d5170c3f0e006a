import {
  ConnectGetAllDomainStatsFlags,
  DomainStatsTypes,
  isLibvirtError,
  isUnsupported,
  type CallOptions,
  type DomainStatsRecord,
  type LibvirtSession,
} from '@smalt/libvirt';

import type { DomainSigns } from './known-domain.ts';

const STATISTICS = DomainStatsTypes.vcpu | DomainStatsTypes.balloon;
const NO_WAIT = ConnectGetAllDomainStatsFlags.nowait;

export type SignsReader = (options: CallOptions) => Promise<ReadonlyMap<string, DomainSigns>>;

/** Makes what reads the signs of all domains in one call. It learns what the daemon is too old for. */
export function signsReader(session: Pick<LibvirtSession, 'connectGetAllDomainStats'>): SignsReader {
  let flags: number | undefined = NO_WAIT;
  const read: SignsReader = async (options) => {
    if (flags === undefined) return new Map();
    try {
      // A guest that is stuck would hold up all others without this flag.
      const records = await session.connectGetAllDomainStats({ domains: [], stats: STATISTICS, flags }, options);
      return new Map(records.map((record) => [record.domain.uuid, signsOf(record)]));
    } catch (error) {
      const isRefused = isLibvirtError(error, 'invalid-arg') || isLibvirtError(error, 'argument-unsupported');
      if (!isRefused && !isUnsupported(error)) throw error;
      flags = flags === NO_WAIT && isRefused ? 0 : undefined;
      return await read(options);
    }
  };
  return read;
}

function signsOf({ params }: DomainStatsRecord): DomainSigns {
  return {
    vcpus: numberOf(params['vcpu.current']),
    maxVcpus: numberOf(params['vcpu.maximum']),
    memoryKiB: numberOf(params['balloon.maximum']),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

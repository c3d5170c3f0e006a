import {
  DomainGetJobStatsFlags,
  DomainShutoffReason,
  DomainState,
  isLibvirtError,
  isNoDomain,
  isOperationInvalid,
  isUnsupported,
  type Domain,
  type LibvirtSession,
} from '@smalt/libvirt';
import { jobTypeWord, type JobStats, type Sighting } from '@smalt/migration-record';

type JobSession = Pick<LibvirtSession, 'domainGetJobStats' | 'domainGetState'>;

type StoppedSighting = Extract<Sighting, { kind: 'missing' }> & { readonly isRunning: boolean };

/** A daemon that does not answer for so long is looked at again at the next turn. */
const TIMEOUT_MS = 5000;

/** Looks at the job of a domain. Nothing when the driver has no jobs; throws when the daemon cannot be asked. */
export async function lookAtJob(
  session: JobSession,
  domain: Domain,
  signal: AbortSignal,
): Promise<Sighting | undefined> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  try {
    const { type, params } = await session.domainGetJobStats({ domain }, options);
    return { kind: 'job', type: jobTypeWord(type), stats: params };
  } catch (error) {
    // This is how QEMU's driver says that the guest is on its way in: only the origin knows how far it is.
    if (isLibvirtError(error, 'operation-unsupported')) return { kind: 'incoming' };
    if (isNoDomain(error)) return { kind: 'missing', hasMigrated: false };
    if (isOperationInvalid(error)) return await lookAtStopped(session, domain, signal);
    if (!isUnsupported(error)) throw error;
    const sighting = await lookAtStopped(session, domain, signal);
    return sighting.isRunning ? undefined : sighting;
  }
}

/** Looks at the job of a domain that ended last, without making the daemon forget it. */
export async function lookBackAtJob(session: JobSession, domain: Domain, signal: AbortSignal): Promise<Sighting> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  const flags = DomainGetJobStatsFlags.completed | DomainGetJobStatsFlags.keepCompleted;
  try {
    const { state } = await session.domainGetState({ domain }, options);
    const isRunning = state === DomainState.running || state === DomainState.blocked;
    const { type, params } = await session.domainGetJobStats({ domain, flags }, options).catch(noJobs);
    return { kind: 'past-job', type: jobTypeWord(type), stats: params, isRunning };
  } catch (error) {
    if (isLibvirtError(error, 'operation-unsupported')) return { kind: 'incoming' };
    if (isNoDomain(error)) return { kind: 'missing', hasMigrated: false };
    if (isOperationInvalid(error)) return await lookAtStopped(session, domain, signal);
    throw error;
  }
}

function noJobs(error: unknown): { readonly type: number; readonly params: JobStats } {
  if (isUnsupported(error)) return { type: 0, params: {} };
  throw error;
}

/** A domain that is defined here for good stays when its guest leaves, and remembers why it does not run. */
async function lookAtStopped(session: JobSession, domain: Domain, signal: AbortSignal): Promise<StoppedSighting> {
  try {
    const { state, reason } = await session.domainGetState({ domain }, { signal, timeoutMs: TIMEOUT_MS });
    const isRunning = state !== DomainState.shutoff;
    return { kind: 'missing', hasMigrated: !isRunning && reason === DomainShutoffReason.migrated, isRunning };
  } catch (error) {
    if (isNoDomain(error)) return { kind: 'missing', hasMigrated: false, isRunning: false };
    throw error;
  }
}

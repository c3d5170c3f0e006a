import type { RecoveryRecord } from './recovery-record.ts';

/**
 * A record of another run, whose clock may have been another one: the newest of its times is taken for now, so nothing
 * lies in the future and no restart is forgotten, and what is under way is waited for from now on.
 */
export function adoptRecovery(record: RecoveryRecord, now: number): RecoveryRecord {
  const { askedAt, restarts, moves, startedAt, trouble } = record;
  const times = [askedAt, ...restarts, ...moves, startedAt, trouble?.at].filter((at) => at !== undefined);
  if (times.length === 0) return record;
  const shift = now - Math.max(...times);
  const hasStarted = startedAt !== undefined && askedAt !== undefined && startedAt >= askedAt;
  const isOver = record.state === 'restarting' && hasStarted;
  return {
    ...record,
    state: isOver ? 'watching' : record.state,
    trouble: trouble && { ...trouble, at: trouble.at + shift },
    askedAt: askedAt === undefined || isOver ? undefined : now,
    restarts: restarts.map((at) => at + shift),
    moves: moves.map((at) => at + shift),
    // A start that seems younger than it is would hide a crash that came after it; the host's own time still tells.
    startedAt: record.state === 'moving' && hasStarted ? now : undefined,
  };
}

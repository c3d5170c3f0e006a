import { PodSandboxError } from '../pod-sandbox-error.ts';

/** Throws why a process could not be moved into a cgroup: `process-gone`, `cgroup-gone`, `not-permitted` or `failed`. */
export function refuseMove(cause: unknown, path: string, processId: number): never {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ESRCH') throw new PodSandboxError('process-gone', `the process ${processId} has ended`, { cause });
  if (code === 'ENOENT' || code === 'ENODEV') {
    throw new PodSandboxError('cgroup-gone', `there is no cgroup ${path}: its pod has ended`, { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the process ${processId} cannot be moved into ${path}: ${reason}`;
  const isForbidden = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
  throw new PodSandboxError(isForbidden ? 'not-permitted' : 'failed', message, { cause });
}

import { PodSandboxError } from '../pod-sandbox-error.ts';

/**
 * Refuses what is no path of a cgroup below the root, with `invalid-cgroup`. The root itself is none: to kill or remove
 * it would mean all processes of the machine.
 */
export function checkCgroupPath(path: string): void {
  const names = path.split('/').slice(1);
  const isFine =
    path.startsWith('/') && names.every((name) => /^[\w.:@-]+$/.test(name) && name !== '.' && name !== '..');
  if (isFine) return;
  throw new PodSandboxError('invalid-cgroup', `"${path}" is no path of a cgroup: give one such as /smalt/pods`);
}

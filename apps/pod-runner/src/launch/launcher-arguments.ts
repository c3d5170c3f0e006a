import type { PodSecurity, RunnerPod } from '../pods/pod.ts';

export interface LaunchPlace {
  /** What stands for `smalt`. */
  readonly smaltCommand: readonly string[];
  readonly sandbox: string;
  readonly guestCgroup: string;
}

/** Whom a launcher runs as. */
export interface LauncherUser {
  readonly userId: number;
  readonly groupId: number;
}

/**
 * The capabilities that are left to a launcher until it has loaded itself, from wherever that may lie, and become its
 * user; then it has none.
 */
const CAPABILITIES = ['setuid', 'setgid', 'dac_read_search'];

/** The user of the container, else of the pod; root when neither says. */
export function launcherUser({ spec }: RunnerPod): LauncherUser {
  const own: PodSecurity = { ...spec.securityContext, ...spec.containers[0]?.securityContext };
  const userId = own.runAsUser ?? 0;
  return { userId, groupId: own.runAsGroup ?? userId };
}

/** What is run for a pod, the program first. Only what the pod itself says of its launcher is taken over. */
export function launcherArguments(pod: RunnerPod, { smaltCommand, sandbox, guestCgroup }: LaunchPlace): string[] {
  const { userId, groupId } = launcherUser(pod);
  const [container] = pod.spec.containers;
  const own = [`--sandbox=${sandbox}`, `--guest-cgroup=${guestCgroup}`];
  const command = [...smaltCommand, 'virt-launcher', ...(container?.args ?? []), ...own];
  if (userId === 0) return command;
  const bounding = ['-all', ...CAPABILITIES.map((name) => `+${name}`)].join(',');
  return [
    'setpriv',
    '--no-new-privs',
    '--inh-caps=-all',
    `--bounding-set=${bounding}`,
    '--',
    ...command,
    `--user=${userId}:${groupId}`,
  ];
}

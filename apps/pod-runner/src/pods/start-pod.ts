import type { Cgroups, SandboxProcess } from '@smalt/pod-sandbox';

import { launcherArguments, launcherUser } from '../launch/launcher-arguments.ts';
import { spawnLauncher } from '../launch/spawn-launcher.ts';
import { prepareVolumes, type VolumeDependencies } from '../volumes/prepare-volumes.ts';
import type { ProcessorManager } from '../processors/processor-manager.ts';
import { wholeProcessors } from '../processors/whole-processors.ts';
import { POD_LEAVES, type LocalPods } from './local-pods.ts';
import { podLimits } from './pod-limits.ts';
import type { RunnerPod } from './pod.ts';

export interface StartDependencies extends VolumeDependencies {
  readonly local: LocalPods;
  /** Undefined where pods are only recorded. */
  readonly cgroups: Cgroups | undefined;
  /** There wherever there are cgroups. */
  readonly processors: ProcessorManager | undefined;
  readonly smaltCommand: readonly string[];
  readonly launcherEnvironment: Readonly<Record<string, string>>;
  /** Told what a cgroup cannot be limited by. */
  readonly onUnlimited: (problems: readonly string[]) => void;
}

/**
 * Brings the volumes of a pod here, starts its launcher in its cgroup and records it. Each step may have been done by a
 * runner that was killed: then it is found done. Throws what hinders it.
 */
export async function startPod(dependencies: StartDependencies, pod: RunnerPod, signal: AbortSignal): Promise<void> {
  const { local, cgroups } = dependencies;
  const { namespace = '', name, uid = '' } = pod.metadata;
  const directory = await local.begin(uid, `${namespace}/${name}`);
  const volumes = await prepareVolumes(dependencies, { pod, directory }, signal);
  const about = { podUid: uid, namespace, name, volumes };
  if (cgroups === undefined) {
    await local.record({ ...about, launcher: undefined, guestCgroup: undefined });
    return;
  }
  const launcher = await launch({ ...dependencies, cgroups }, { pod, directory }, signal);
  const own = dependencies.processors?.ofPod(uid);
  await local.record({ ...about, launcher, guestCgroup: local.cgroupsOf(uid).guest, ...(own && { processors: own }) });
}

async function launch(
  dependencies: StartDependencies & { readonly cgroups: Cgroups },
  { pod, directory }: { readonly pod: RunnerPod; readonly directory: string },
  signal: AbortSignal,
): Promise<SandboxProcess> {
  const { local, cgroups, smaltCommand, launcherEnvironment, onUnlimited } = dependencies;
  const { uid = '' } = pod.metadata;
  const paths = local.cgroupsOf(uid);
  onUnlimited(await cgroups.make({ path: paths.pod, leaves: POD_LEAVES, limits: podLimits(pod) }));
  await dependencies.processors?.place(uid, wholeProcessors(pod));
  await cgroups.letKill(paths.guest, launcherUser(pod).userId);
  return await spawnLauncher(
    {
      cgroups,
      cgroup: paths.launcher,
      directory,
      command: launcherArguments(pod, { smaltCommand, sandbox: directory, guestCgroup: paths.guest }),
      environment: launcherEnvironment,
      onSpawn: () => local.expectExit(uid),
      onExit: (exitCode) => local.exited(uid, exitCode),
    },
    signal,
  );
}

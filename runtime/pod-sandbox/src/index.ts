export type { CgroupLimits } from './cgroup/cgroup-limits.ts';
export { Cgroups, openCgroups } from './cgroup/cgroups.ts';
export type { Hierarchy } from './cgroup/hierarchy.ts';
export type { CgroupPlan } from './cgroup/plan-cgroup.ts';
export { openOwnGuestCgroup, type OwnGuestCgroup } from './cgroup/own-guest-cgroup.ts';
export type { KubeletContainer, KubeletPod } from './kubelet/kubelet-pod.ts';
export { KubeletSandboxes, openKubeletSandboxes, type KubeletPods } from './kubelet/kubelet-sandboxes.ts';
export { leavePods } from './kubelet/leave-pods.ts';
export { parseMountTable } from './mounts/mount-table.ts';
export { DEFAULT_PODS_DIRECTORY, listSandboxes, openSandboxes, type Sandboxes } from './open-sandboxes.ts';
export {
  isCgroupGone,
  isInvalidSandbox,
  isProcessGone,
  PodSandboxError,
  type PodSandboxErrorCode,
} from './pod-sandbox-error.ts';
export type { PodSandbox, SandboxVolume } from './pod-sandbox.ts';
export { parseProcessors, printProcessors } from './processors.ts';
export { findProcess, isProcessRunning, signalProcess, type SandboxProcess } from './process/sandbox-process.ts';
export { launcherLogFile, podDirectory, readSandbox, writeSandbox } from './sandbox-file.ts';

export type { CgroupLimits } from './cgroup/cgroup-limits.ts';
export { Cgroups, openCgroups } from './cgroup/cgroups.ts';
export type { Hierarchy } from './cgroup/hierarchy.ts';
export type { CgroupPlan } from './cgroup/plan-cgroup.ts';
export { DEFAULT_PODS_DIRECTORY, listSandboxes, openSandboxes, type Sandboxes } from './open-sandboxes.ts';
export { isCgroupGone, isProcessGone, PodSandboxError, type PodSandboxErrorCode } from './pod-sandbox-error.ts';
export type { PodSandbox, SandboxVolume } from './pod-sandbox.ts';
export { findProcess, isProcessRunning, signalProcess, type SandboxProcess } from './process/sandbox-process.ts';
export { launcherLogFile, podDirectory, readSandbox, writeSandbox } from './sandbox-file.ts';

export { canConnect } from './can-connect.ts';
export { makeAuthority, makeCertificate, type CertificateHolder } from './certificates.ts';
export { openDetachedLibvirtd, type DetachedLibvirtd, type DetachedLibvirtdOptions } from './detached-libvirtd.ts';
export { ensureLoopbackCertificates } from './ensure-certificates.ts';
export { isMissingSoftware, isPortInUse, LibvirtDaemonError } from './error.ts';
export type { LibvirtDaemonErrorCode } from './error.ts';
export { findProgram, SYSTEM_PATH } from './find-program.ts';
export { keepRunning, type KeepRunningOptions } from './keep-running.ts';
export type { LibvirtdLimits } from './libvirtd-config.ts';
export type { LibvirtdOptions } from './libvirtd-options.ts';
export type { Libvirtd } from './libvirtd.ts';
export { Namespace } from './namespace.ts';
export type { BindMount, NamespaceOptions, Run } from './namespace.ts';
export { lendHostName, lendQemuAccount } from './prepare-directory.ts';
export {
  currentBootId,
  isRunning,
  markProcess,
  parseProcessMark,
  untilGone,
  type ProcessMark,
} from './process-mark.ts';
export type { Config, ConfigValue } from './render-config.ts';
export { detachedScope } from './spawn-detached.ts';
export { startLibvirtd } from './start-libvirtd.ts';
export { runProgram, type Program, type RunOptions } from './run-program.ts';
export { waitUntilServed } from './wait-until-served.ts';

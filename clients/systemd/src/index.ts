export type { BackOffOptions } from './bus/back-off.ts';
export type { HostDescription } from './host-description.ts';
export { openSystemd } from './open-systemd.ts';
export {
  isAborted,
  isAccessDenied,
  isBusAway,
  isNoSuchUnit,
  isSystemdError,
  isTimeout,
  SystemdError,
  type SystemdErrorCode,
  type SystemdErrorOptions,
} from './systemd-error.ts';
export { isUnitName, unitOfTemplate } from './units/unit-name.ts';
export type { SystemdOptions } from './systemd-options.ts';
export type { DelayReason, JobResult, ShutdownDelay, Systemd, UnitChange, UnitState } from './systemd.ts';

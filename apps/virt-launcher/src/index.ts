export { isBadFlag, LauncherError, type LauncherErrorCode } from './launcher-error.ts';
export { virtLauncherCommand, type LauncherContext, type LauncherProcess } from './virt-launcher.ts';

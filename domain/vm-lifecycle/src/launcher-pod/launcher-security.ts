import type { LauncherSettings } from './launcher-settings.ts';

const LAUNCHER_USER = 107;

/** Whom the containers of a pod run as: nobody with any rights, unless the driver needs them. */
export function podSecurity({ driver }: LauncherSettings): Readonly<Record<string, unknown>> {
  if (driver.runsPrivileged) return { runAsUser: 0 };
  return {
    runAsUser: LAUNCHER_USER,
    runAsGroup: LAUNCHER_USER,
    runAsNonRoot: true,
    fsGroup: LAUNCHER_USER,
    seccompProfile: { type: 'RuntimeDefault' },
  };
}

/** What a container of such a pod may do. */
export function containerSecurity({ driver }: LauncherSettings): Readonly<Record<string, unknown>> {
  if (driver.runsPrivileged) return { privileged: true };
  return {
    runAsUser: LAUNCHER_USER,
    runAsGroup: LAUNCHER_USER,
    runAsNonRoot: true,
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
}

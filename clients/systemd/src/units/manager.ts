/** The part of systemd that owns all units. */
export const MANAGER: { readonly destination: string; readonly path: string; readonly interface: string } = {
  destination: 'org.freedesktop.systemd1',
  path: '/org/freedesktop/systemd1',
  interface: 'org.freedesktop.systemd1.Manager',
};

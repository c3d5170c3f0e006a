/** The part of logind that knows of shutdowns. */
export const LOGIN_MANAGER: { readonly destination: string; readonly path: string; readonly interface: string } = {
  destination: 'org.freedesktop.login1',
  path: '/org/freedesktop/login1',
  interface: 'org.freedesktop.login1.Manager',
};

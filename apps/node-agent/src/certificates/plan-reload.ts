import type { UnitState } from '@smalt/systemd';

/** The unit that images for hypervisors bring along for this. */
export const UPDATE_UNIT = 'virt-admin-server-update-tls.service';
/** The daemons that serve TLS, with the name their admin server goes by. */
export const DAEMONS = ['virtproxyd', 'libvirtd'] as const;

export type DaemonName = (typeof DAEMONS)[number];

/** How a daemon is made to read its certificates anew. */
export type ReloadStep =
  /** No daemon that serves TLS runs; the next one that starts reads the new files, as QEMU does for each guest. */
  | { readonly kind: 'nothing' }
  /** Else, where the bus refuses that, by its admin socket. */
  | { readonly kind: 'start-unit'; readonly unit: string; readonly server: DaemonName }
  /** By its admin socket, else, where nobody listens there, by a restart of the unit if there is one. */
  | { readonly kind: 'admin'; readonly server: DaemonName; readonly unit: string | undefined }
  /** A daemon may run, but there is no way to it. */
  | { readonly kind: 'no-way' };

/** The units whose states decide. */
export const RELOAD_UNITS: readonly string[] = [UPDATE_UNIT, ...DAEMONS.map((name) => `${name}.service`)];

export interface ReloadView {
  /** Of `RELOAD_UNITS`: none where there is no systemd, nothing where it could not be asked. */
  readonly states: readonly UnitState[] | undefined;
  /** The daemons that have an admin socket here. */
  readonly administered: readonly DaemonName[];
}

/** Decides by whom the daemon that serves TLS is told. Where nobody says what runs, a socket stands for its daemon. */
export function planReload({ states, administered }: ReloadView): ReloadStep {
  if (states === undefined) {
    const [server] = administered;
    return server === undefined ? { kind: 'no-way' } : { kind: 'admin', server, unit: undefined };
  }
  const stateOf = (name: string): UnitState | undefined => states.find((state) => state.name === name);
  const services = DAEMONS.map((name) => ({ name, unit: stateOf(`${name}.service`) }));
  const running = services.find(({ unit }) => isRunning(unit));
  const isKnown = services.some(({ unit }) => unit?.loadState === 'loaded');
  // A daemon that is not a unit, or not one of this systemd, may run all the same: then its socket is there.
  const stray = isKnown ? undefined : DAEMONS.find((name) => administered.includes(name));
  const server = running?.name ?? stray;
  if (server === undefined) return { kind: 'nothing' };
  if (stateOf(UPDATE_UNIT)?.loadState === 'loaded') return { kind: 'start-unit', unit: UPDATE_UNIT, server };
  return { kind: 'admin', server, unit: running?.unit?.name };
}

function isRunning(unit: UnitState | undefined): boolean {
  return unit !== undefined && unit.activeState !== 'inactive' && unit.activeState !== 'failed';
}

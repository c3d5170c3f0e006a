import type { BackOffOptions } from './bus/back-off.ts';

export interface SystemdOptions {
  /** The socket of the system bus, `/run/dbus/system_bus_socket` unless told. */
  readonly busPath?: string | undefined;
  /** How long a call may take, connecting included; 10 s unless told. */
  readonly callTimeoutMs?: number | undefined;
  /** How the pauses between attempts to connect grow. */
  readonly backOff?: BackOffOptions | undefined;
  /**
   * What is run to hold back a shutdown, `['systemd-inhibit']` unless told. In a container that lacks it:
   * `['nsenter', '--target', '1', '--mount', 'systemd-inhibit']`.
   */
  readonly inhibitCommand?: readonly [string, ...string[]] | undefined;
  /** Told of what came over the bus and could not be used; nothing is lost by it but that message. */
  readonly onWarning?: ((warning: Error) => void) | undefined;
}

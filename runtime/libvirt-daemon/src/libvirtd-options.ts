import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

import { LibvirtDaemonError } from './error.ts';
import type { LibvirtdLimits } from './libvirtd-config.ts';
import type { BindMount } from './namespace.ts';
import type { Config } from './render-config.ts';

/** What daemon to start, and where it lives. */
export interface LibvirtdOptions {
  /** Absolute; everything the daemon writes stays below it and survives it. Keep it short: a socket lies in it. */
  readonly directory: string;
  /** The name the daemon and its guests see; the machine's own by default. */
  readonly hostname?: string | undefined;
  /** Told apart by this, two daemons on one machine may migrate guests to each other. */
  readonly hostUuid?: string | undefined;
  /** `test` loads libvirt's built-in mock hypervisor alone: a tenth of the memory, up in a tenth of a second. */
  readonly drivers?: 'all' | 'test' | undefined;
  /** Where TCP and TLS listen; 127.0.0.1 by default. */
  readonly address?: string | undefined;
  /** `port` 0 or left out picks a free one; `false` switches plain TCP off. */
  readonly tcp?: { readonly port?: number | undefined } | false | undefined;
  /** `directory` holds cacert.pem, servercert.pem and serverkey.pem. */
  readonly tls?: { readonly directory: string; readonly port?: number | undefined } | undefined;
  /** `directory` holds libvirt.conf and the files it names, and is shown as /etc/sasl2. Asked for over TLS only. */
  readonly sasl?: { readonly directory: string } | undefined;
  readonly limits?: LibvirtdLimits | undefined;
  /** Settings of qemu.conf that differ from what `qemuConfig` gives. */
  readonly qemu?: Config | undefined;
  readonly bindMounts?: readonly BindMount[] | undefined;
  /** Gives the daemon and its guests a network of their own, empty but for `lo`. */
  readonly ownNetwork?: boolean | undefined;
  /** Called before libvirtd runs, with a pid by which its namespaces can be entered or given devices. */
  readonly prepare?: ((namespacePid: number) => Promise<void>) | undefined;
  /** How long libvirtd may take until it serves; 30 s by default. */
  readonly startTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_SOCKET_PATH = 107;

/** The daemon's socket in a directory, as seen from outside its namespaces. */
export function socketPathIn(directory: string): string {
  return `${directory}/run/libvirt-sock`;
}

/** Refuses options that cannot work, by name, before anything is started. */
export function checkOptions(options: LibvirtdOptions): void {
  checkPath('directory', options.directory);
  if (Buffer.byteLength(socketPathIn(options.directory)) > LONGEST_SOCKET_PATH) {
    refuse('directory', options.directory, `too long for the socket in it, of at most ${LONGEST_SOCKET_PATH} bytes`);
  }
  if (options.hostname !== undefined && !/^[a-zA-Z0-9][a-zA-Z0-9.-]{0,62}$/.test(options.hostname)) {
    refuse('hostname', options.hostname, 'not a host name');
  }
  if (options.hostUuid !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(options.hostUuid)) {
    refuse('hostUuid', options.hostUuid, 'not a UUID');
  }
  if (options.address !== undefined && isIP(options.address) === 0) {
    refuse('address', options.address, 'not an IP address');
  }
  if (options.tcp !== false) checkPort('tcp.port', options.tcp?.port);
  checkPort('tls.port', options.tls?.port);
  if (options.sasl && !options.tls) refuse('sasl', 'without tls', 'libvirt refuses it over a connection not encrypted');
  checkPaths(options);
}

function checkPaths(options: LibvirtdOptions): void {
  if (options.tls) checkPath('tls.directory', options.tls.directory);
  if (options.sasl) checkPath('sasl.directory', options.sasl.directory);
  for (const { source, target } of options.bindMounts ?? []) {
    checkPath('bindMounts.source', source);
    checkPath('bindMounts.target', target);
  }
}

function checkPath(field: string, path: string): void {
  if (!isAbsolute(path) || /[\0\n]/.test(path)) refuse(field, path, 'not an absolute path');
}

function checkPort(field: string, port: number | undefined): void {
  const isPort = port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535);
  if (!isPort) refuse(field, port, 'not a TCP port');
}

function refuse(field: string, value: unknown, reason: string): never {
  throw new LibvirtDaemonError('invalid-option', `${field}: ${JSON.stringify(value)} is ${reason}`);
}

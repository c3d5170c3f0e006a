import { LibvirtDaemonError } from './error.ts';

/** Turns what a daemon wrote before it gave up into an error that names the cause where it is known. */
export function explainFailure(log: string, status: number): LibvirtDaemonError {
  if (/Address already in use/.test(log)) {
    return new LibvirtDaemonError('port-in-use', 'libvirtd could not listen: the port is in use', { log });
  }
  const account = /Failed to parse (user|group) '([^']+)'/.exec(log);
  if (account) {
    const message = `libvirtd needs the ${account[1]} ${account[2]}: the Debian package libvirt-daemon-system makes it`;
    return new LibvirtDaemonError('missing-user', message, { log });
  }
  return new LibvirtDaemonError('start-failed', `libvirtd ended with status ${status} before it served`, { log });
}

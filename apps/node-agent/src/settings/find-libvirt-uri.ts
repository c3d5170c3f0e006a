import { parseLibvirtUri } from '@smalt/libvirt';

import { AgentError } from '../agent-error.ts';

/** Where local daemons listen, in the order in which they are preferred, and the driver each has. */
const SOCKETS = [
  { path: '/run/libvirt/virtqemud-sock', uri: 'qemu:///system' },
  { path: '/run/libvirt/virtchd-sock', uri: 'ch:///system' },
  { path: '/run/libvirt/libvirt-sock', uri: 'qemu:///system' },
] as const;

export interface UriSources {
  /** The setting; empty if it was not given. */
  readonly uri: string;
  /** LIBVIRT_DEFAULT_URI. */
  readonly defaultUri: string | undefined;
  /** LIBVIRT_SOCKET. */
  readonly socket: string | undefined;
  readonly exists: (path: string) => Promise<boolean>;
}

/** Which daemon to talk to: the one that is named, else the first that has a socket here, else QEMU's. */
export async function findLibvirtUri({ uri, defaultUri, socket, exists }: UriSources): Promise<string> {
  if (uri !== '') return checked(uri, 'libvirt');
  if (socket !== undefined && socket !== '') return checked(atSocket(defaultUri, socket), 'LIBVIRT_SOCKET');
  if (defaultUri !== undefined && defaultUri !== '') return checked(defaultUri, 'LIBVIRT_DEFAULT_URI');
  for (const known of SOCKETS) if (await exists(known.path)) return known.uri;
  return 'qemu:///system';
}

function atSocket(defaultUri: string | undefined, socket: string): string {
  const standard = socket.includes('virtch') ? 'ch:///system' : 'qemu:///system';
  const match = /^(?<driver>[a-z]+):\/\/(?<path>\/[^?]*)$/.exec(defaultUri ?? standard)?.groups;
  if (match === undefined) {
    throw new AgentError(
      'bad-setting',
      `LIBVIRT_DEFAULT_URI: "${defaultUri}" cannot be reached at the socket LIBVIRT_SOCKET; give a local URI such as ch:///system, or leave one of them out`,
    );
  }
  return `${match['driver']}+unix://${match['path']}?socket=${encodeURIComponent(socket)}`;
}

function checked(uri: string, name: string): string {
  try {
    parseLibvirtUri(uri);
    return uri;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AgentError('bad-setting', `${name}: ${reason}`, { cause: error });
  }
}

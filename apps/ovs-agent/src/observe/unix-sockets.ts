/** A socket with a path, as the kernel lists it. An accepted one has the path of the one that listens. */
export interface UnixSocket {
  readonly path: string;
  readonly state: 'listening' | 'connected';
}

/** Reads `/proc/PID/net/unix`: the sockets with a path of one network. */
export function parseUnixSockets(text: string): readonly UnixSocket[] {
  return text.split('\n').flatMap((line): readonly UnixSocket[] => {
    const [, flags, state, path] = LINE.exec(line) ?? [];
    if (path === undefined || path === '') return [];
    if (flags === ACCEPTS) return [{ path, state: 'listening' }];
    return state === CONNECTED ? [{ path, state: 'connected' }] : [];
  });
}

/** The path that a bridge takes OpenFlow on; undefined where it cannot be told from that of another Open vSwitch. */
export function managementPath(
  sockets: readonly UnixSocket[],
  bridge: string,
  directories: readonly string[],
): string | undefined {
  const listening = sockets.filter(({ state, path }) => state === 'listening' && path.endsWith(`/${bridge}.mgmt`));
  const ours = listening.filter(({ path }) => directories.some((directory) => path === `${directory}/${bridge}.mgmt`));
  const [first, ...others] = ours.length > 0 ? ours : listening;
  return others.length === 0 ? first?.path : undefined;
}

export function countConnected(sockets: readonly UnixSocket[], path: string): number {
  return sockets.filter((socket) => socket.state === 'connected' && socket.path === path).length;
}

// Num RefCount Protocol Flags Type St Inode Path
const LINE = /^[\da-f]+: [\da-f]+ [\da-f]+ ([\da-f]{8}) [\da-f]{4} ([\da-f]{2}) +\d+ (.+)$/i;
const ACCEPTS = '00010000';
const CONNECTED = '03';

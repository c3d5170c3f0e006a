import { isIPv6 } from 'node:net';
import { invalidUri } from './invalid-uri.ts';
import type { LibvirtEndpoint, LibvirtTarget } from './libvirt-target.ts';
import { unescapeText, UriParameters } from './uri-parameters.ts';

const TCP_PORT = 16_509;
const TLS_PORT = 16_514;
const SYSTEM_DIRECTORY = '/run/libvirt';
const SUPPORTED = 'supported are tcp, tls and unix';

/** What a URI leaves open about local daemons. */
export interface ParseUriOptions {
  /** Takes the socket on which the daemon allows only to look. */
  readonly isReadOnly?: boolean;
  /** The user's run-time directory (XDG_RUNTIME_DIR); needed for `…:///session`. */
  readonly runtimeDirectory?: string;
}

interface UriParts {
  readonly driver: string;
  readonly transport: string | undefined;
  readonly username: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly path: string;
  readonly parameters: UriParameters;
  readonly fragment: string;
}

/**
 * Reads a libvirt URI such as `qemu+tls://host/system` the way libvirt's own client does. What it cannot serve is
 * refused with `invalid-uri` and the name of the part that is wrong.
 *
 * @example parseLibvirtUri('test+tcp://node1/default').driverUri // 'test:///default'
 */
export function parseLibvirtUri(uri: string, options: ParseUriOptions = {}): LibvirtTarget {
  const parts = splitUri(uri);
  const username = parts.username;
  const auth = parts.parameters.text('auth');
  return {
    endpoint: endpointOf(parts, options),
    driverUri: driverUriOf(parts),
    ...(username === undefined ? {} : { username }),
    ...(auth === undefined ? {} : { auth: checkedAuth(auth) }),
  };
}

function splitUri(uri: string): UriParts {
  const match =
    /^(?<scheme>[^:/?#]+):(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?<fragment>#.*)?$/s.exec(
      uri,
    );
  const scheme = match?.groups?.['scheme'] ?? '';
  if (!match || !/^[a-z][a-z0-9.-]*(\+[a-z0-9]*)?$/i.test(scheme)) {
    throw invalidUri('it must begin with a driver, as in qemu:///system or qemu+tcp://host/system');
  }
  if (/[\s\p{Cc}]/u.test(uri))
    throw invalidUri('it holds white space or control characters: write them percent-encoded');
  const [driver = '', transport] = scheme.toLowerCase().split('+');
  const path = match.groups?.['path'] ?? '';
  unescapeText(path, 'the path');
  if (path !== '' && !path.startsWith('/')) throw invalidUri(`the path '${path}' must begin with '/'`);
  return {
    driver,
    transport,
    ...splitAuthority(match.groups?.['authority'] ?? ''),
    path,
    parameters: new UriParameters(match.groups?.['query'] ?? ''),
    fragment: match.groups?.['fragment'] ?? '',
  };
}

function splitAuthority(authority: string): Pick<UriParts, 'username' | 'host' | 'port'> {
  const at = authority.lastIndexOf('@');
  const match = /^(?<host>\[[^\]]*\]|[^:[\]]*)(?::(?<port>[^:]*))?$/.exec(authority.slice(at + 1));
  if (!match) throw invalidUri('the host: an IPv6 address is written in brackets, as in qemu+tcp://[::1]/system');
  return {
    username: at < 0 ? undefined : usernameOf(authority.slice(0, at)),
    host: hostOf(match.groups?.['host'] ?? ''),
    port: portOf(match.groups?.['port'] ?? ''),
  };
}

function usernameOf(text: string): string {
  // Never quoted in the error: what follows the colon is a password.
  if (text.includes(':')) {
    throw invalidUri('the user name is followed by a password: leave it out and pass it in options.credentials');
  }
  if (text === '') throw invalidUri("the user name in front of '@' is empty");
  return unescapeText(text, 'the user name');
}

function hostOf(text: string): string | undefined {
  if (text === '') return undefined;
  if (text.startsWith('[')) {
    const address = unescapeText(text.slice(1, -1), 'the host');
    if (!isIPv6(address)) throw invalidUri(`the host: '${address}' is not an IPv6 address`);
    return address;
  }
  const host = unescapeText(text, 'the host');
  if (!/^[\p{L}\p{N}._-]+$/u.test(host)) throw invalidUri(`the host '${host}' is not a host name or address`);
  return host;
}

function portOf(text: string): number | undefined {
  // libvirt takes an empty port and port 0 for the default one.
  if (/^0*$/.test(text)) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw invalidUri(`the port '${text}' is not a number from 1 to 65535`);
  return port;
}

function endpointOf(parts: UriParts, options: ParseUriOptions): LibvirtEndpoint {
  const transport = parts.transport ?? (parts.host === undefined ? 'unix' : 'tls');
  switch (transport) {
    case 'unix':
      return { kind: 'unix', socketPaths: socketPathsOf(parts, options) };
    case 'tcp':
      return { kind: 'tcp', host: parts.host ?? 'localhost', port: parts.port ?? TCP_PORT };
    case 'tls':
      return tlsEndpointOf(parts);
    case 'ssh':
    case 'libssh':
    case 'libssh2':
    case 'ext':
      throw invalidUri(
        `the transport '${transport}' starts a helper program, which this client does not do (${SUPPORTED}); ` +
          `forward the daemon's socket yourself, for example with ssh -L, and use ${parts.driver}+unix:///…?socket=PATH`,
      );
    default:
      throw invalidUri(`the transport '${transport}' is not known: ${SUPPORTED}`);
  }
}

function tlsEndpointOf(parts: UriParts): LibvirtEndpoint {
  if (parts.parameters.text('tls_priority') !== undefined) {
    throw invalidUri("parameter 'tls_priority' is a GnuTLS setting that this client cannot follow: leave it out");
  }
  const pkiPath = parts.parameters.path('pkipath');
  return {
    kind: 'tls',
    host: parts.host ?? 'localhost',
    port: parts.port ?? TLS_PORT,
    verify: !parts.parameters.flag('no_verify'),
    ...(pkiPath === undefined ? {} : { pkiPath }),
  };
}

function socketPathsOf(parts: UriParts, options: ParseUriOptions): string[] {
  if (parts.host !== undefined) {
    throw invalidUri(`the host '${parts.host}' cannot be reached over the transport 'unix': use tls or tcp`);
  }
  if (parts.port !== undefined) throw invalidUri("the port has no meaning with the transport 'unix'");
  const socket = parts.parameters.path('socket');
  if (socket !== undefined) return [socket];
  const directory = socketDirectoryOf(parts, options);
  // A user's own daemon has no read-only socket.
  const suffix = options.isReadOnly === true && directory === SYSTEM_DIRECTORY ? 'sock-ro' : 'sock';
  return daemonsOf(parts).map((daemon) => `${directory}/${daemon}-${suffix}`);
}

function socketDirectoryOf(parts: UriParts, options: ParseUriOptions): string {
  if (parts.path !== '/session') return SYSTEM_DIRECTORY;
  if (options.runtimeDirectory === undefined) {
    throw invalidUri(
      "the path '/session' means the user's own daemon: pass options.runtimeDirectory (XDG_RUNTIME_DIR), " +
        'or name the socket with ?socket=PATH',
    );
  }
  return `${options.runtimeDirectory.replace(/\/+$/, '')}/libvirt`;
}

function daemonsOf(parts: UriParts): string[] {
  const mode = parts.parameters.text('mode') ?? 'auto';
  const modular = `virt${parts.driver}d`;
  switch (mode) {
    case 'auto':
      return parts.driver === 'remote' ? ['libvirt'] : [modular, 'libvirt'];
    case 'legacy':
      return ['libvirt'];
    case 'direct':
      if (parts.driver === 'remote') throw invalidUri("mode 'direct' needs a driver in place of 'remote'");
      return [modular];
    default:
      throw invalidUri(`parameter 'mode' must be auto, direct or legacy, but is '${mode}'`);
  }
}

function driverUriOf(parts: UriParts): string {
  const name = parts.parameters.text('name');
  if (name !== undefined) return name;
  // The daemon is asked to choose, as libvirt does for remote:///.
  if (parts.driver === 'remote') return '';
  return `${parts.driver}://${parts.path}${parts.parameters.forDriver()}${parts.fragment}`;
}

function checkedAuth(auth: string): string {
  if (/^(sasl(\..+)?|polkit)$/i.test(auth)) return auth;
  throw invalidUri(`parameter 'auth' must be sasl, sasl.MECHANISM or polkit, but is '${auth}'`);
}

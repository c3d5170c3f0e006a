import { LibvirtError } from '../libvirt-error.ts';
import { describeEndpoint, type LibvirtEndpoint } from './libvirt-target.ts';

const NETWORK_HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: is the daemon running, and does it listen on this address and port?',
  ECONNRESET: 'the other side closed the connection: does it take connections of this kind, or is it full?',
  EPIPE: 'the other side closed the connection: does it take connections of this kind, or is it full?',
  EHOSTUNREACH: 'no route to the host: check its address and that it is up',
  ENETUNREACH: 'no route to the network: check the address and the routes of this machine',
  ETIMEDOUT: 'the host does not answer: check that it is up and that no firewall drops the packets',
  ENOTFOUND: 'the host name has no address: check the name and the name server',
  EAI_AGAIN: 'the name server does not answer: check the resolver of this machine',
  ENOENT: 'the socket does not exist: is the daemon running, or does it listen elsewhere (?socket=PATH)?',
  EACCES: 'this user may not use the socket: run as root or join the group that owns it',
  EPERM: 'this user may not use the socket: run as root or join the group that owns it',
};

const CERTIFICATE_HINTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself, not by the certificate authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from another certificate authority than cacert.pem',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from another certificate authority than cacert.pem',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from another certificate authority than cacert.pem',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from another certificate authority than cacert.pem',
  CERT_SIGNATURE_FAILURE: 'comes from another certificate authority than cacert.pem',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet: check the clocks',
  CERT_REVOKED: 'has been revoked (cacrl.pem)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name: connect by a name it carries, or set options.tls.serverName',
};

/** Turns what the operating system or TLS said into an error that names the address and the next step. */
export function explainConnectFailure(endpoint: LibvirtEndpoint, cause: unknown): LibvirtError {
  if (cause instanceof LibvirtError) return cause;
  const address = describeEndpoint(endpoint);
  const code = codeOf(cause);
  const certificate = CERTIFICATE_HINTS[code];
  if (certificate !== undefined) {
    return new LibvirtError('connect-failed', `${address}: the daemon's certificate ${certificate} (${code})`, {
      cause,
    });
  }
  if (code.includes('_ALERT_')) {
    const message = `${address}: the daemon refused the TLS handshake (${code}): is the client certificate the right one?`;
    return new LibvirtError('authentication', message, { cause });
  }
  const hint = NETWORK_HINTS[code] ?? textOf(cause);
  return new LibvirtError('connect-failed', `cannot connect to ${address}: ${hint}${code === '' ? '' : ` (${code})`}`, {
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

// Node reports several addresses of one name as an AggregateError with an empty message.
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

import type { KubeError } from './kube-error.ts';

/** What Node says when it does not trust the certificate of a server. */
const NOT_TRUSTED = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** How a server says that it does not trust ours. */
const REFUSED = /^ERR_SSL_.*_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_|UNKNOWN_CA)/;

/** Whether one side did not trust the certificate of the other. The request has come to nobody then. */
export function isCertificateFailure({ code, cause }: KubeError): boolean {
  if (code !== 'connection' || !(cause instanceof Error) || !('code' in cause)) return false;
  const reason = String(cause.code);
  return NOT_TRUSTED.has(reason) || REFUSED.test(reason);
}

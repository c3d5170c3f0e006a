/** Says what went wrong on the way to another server, in the words that Kubernetes' own messages have for it. */
export function networkProblem(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'context deadline exceeded';
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const address = addressOf(error);
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${address}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${address}: connect: network is unreachable`;
    case 'ETIMEDOUT':
      return `dial tcp ${address}: i/o timeout`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${'hostname' in error ? String(error.hostname) : ''}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    default:
      return error.message;
  }
}

function addressOf(error: Error): string {
  // A name with several addresses makes an error of errors.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  if (!(first instanceof Error) || !('address' in first) || !('port' in first)) return '';
  const host = String(first.address);
  return `${host.includes(':') ? `[${host}]` : host}:${String(first.port)}`;
}

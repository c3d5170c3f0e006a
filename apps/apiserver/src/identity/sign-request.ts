import { IdentityError } from './identity-error.ts';
import { DAY_MS, type CertificateAuthority } from './certificate-authority.ts';
import { parseCertificateRequest, type CertificateRequest } from './x509/certificate-request.ts';

/** The signers of Kubernetes that sign with the authority of the cluster. */
export const SIGNERS = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
} as const;

const LONGEST_MS = 365 * DAY_MS;
const SHORTEST_MS = 600_000;
const BACKDATE_MS = 300_000;
const SHORT_LIVED_MS = 8 * 3_600_000;
const NODE_USAGES = ['digital signature', 'key encipherment'];

export interface SigningOptions {
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds?: number | undefined;
  readonly now: Date;
}

/** Whether this server signs for a signer at all. */
export function isKnownSigner(signerName: string): boolean {
  return Object.values<string>(SIGNERS).includes(signerName);
}

/**
 * Signs an approved request and returns the certificate in PEM form. Throws an IdentityError when the signer does not
 * sign such requests; its message is what the condition of the request says.
 */
export function signRequest(authority: CertificateAuthority, pem: string, options: SigningOptions): string {
  const request = parseCertificateRequest(pem);
  const refusal = refusalOf(request, options);
  if (refusal !== undefined) throw new IdentityError('signer-refused', refusal);
  const lifetimeMs = lifetimeOf(options.expirationSeconds);
  const nowMs = options.now.getTime();
  // Five minutes are a lot of a short life, so there they are not taken off again.
  const endMs = lifetimeMs < SHORT_LIVED_MS ? nowMs + lifetimeMs : nowMs + lifetimeMs - BACKDATE_MS;
  return authority.sign({
    rawSubject: request.rawSubject,
    publicKey: request.publicKey,
    names: request.names,
    usages: options.usages,
    notBefore: new Date(nowMs - BACKDATE_MS),
    notAfter: new Date(endMs),
  });
}

function lifetimeOf(expirationSeconds: number | undefined): number {
  if (expirationSeconds === undefined) return LONGEST_MS;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, expirationSeconds * 1_000));
}

function refusalOf(request: CertificateRequest, { signerName, usages }: SigningOptions): string | undefined {
  switch (signerName) {
    case SIGNERS.client:
      return clientRefusal(usages);
    case SIGNERS.kubeletClient:
      return kubeletClientRefusal(request, usages);
    case SIGNERS.kubeletServing:
      return kubeletServingRefusal(request, usages);
    default:
      return `unrecognized signerName: "${signerName}"`;
  }
}

function clientRefusal(usages: readonly string[]): string | undefined {
  const unknown = usages.find((usage) => usage !== 'client auth' && !NODE_USAGES.includes(usage));
  if (unknown !== undefined) return `invalid usage for client certificate: ${unknown}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function kubeletClientRefusal(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names } = request;
  if (!isInSystemNodes(request)) return 'subject organization is not system:nodes';
  if (names.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (names.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return nodeNameRefusal(request) ?? usagesRefusal(usages, 'client auth');
}

function kubeletServingRefusal(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names } = request;
  if (!isInSystemNodes(request)) return 'subject organization is not system:nodes';
  if (names.dnsNames.length + names.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (names.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return usagesRefusal(usages, 'server auth') ?? nodeNameRefusal(request);
}

function isInSystemNodes({ subject }: CertificateRequest): boolean {
  return subject.organizations.length === 1 && subject.organizations[0] === 'system:nodes';
}

function nodeNameRefusal({ subject }: CertificateRequest): string | undefined {
  const isNode = subject.commonName.startsWith('system:node:');
  return isNode ? undefined : 'subject common name does not begin with system:node:';
}

function usagesRefusal(usages: readonly string[], required: string): string | undefined {
  const given = new Set(usages);
  const isExact = [...given].every((usage) => usage === required || NODE_USAGES.includes(usage));
  if (isExact && given.has(required) && given.has('digital signature')) return undefined;
  return `usages did not match [${[...NODE_USAGES, required].toSorted().join(' ')}]`;
}

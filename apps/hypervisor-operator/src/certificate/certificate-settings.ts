export interface CertificateSettings {
  /** Whether hosts get certificates: `auto` is where cert-manager is installed. */
  readonly when: 'auto' | 'always' | 'never';
  readonly concurrency: number;
  readonly namespace: string;
  readonly issuerName: string;
  readonly issuerKind: string;
  readonly issuerGroup: string;
  /** The organization in the subject. */
  readonly organization: string;
  readonly durationMs: number;
  readonly renewBeforeMs: number;
  readonly keyAlgorithm: 'RSA' | 'ECDSA' | 'Ed25519';
  /** In bits; Ed25519 keys have one size only. */
  readonly keySize: number;
  /** Whether the certificate may sign others. Some existing fleets have it so; nothing needs it. */
  readonly isCertSign: boolean;
  /** How often to look whether cert-manager is installed by now. */
  readonly resyncMs: number;
}

const DAY_MS = 86_400_000;

export const defaultCertificateSettings: CertificateSettings = {
  when: 'auto',
  concurrency: 8,
  namespace: 'monsoon3',
  issuerName: 'nova-hypervisor-agents-ca-issuer',
  issuerKind: 'Issuer',
  issuerGroup: 'cert-manager.io',
  organization: 'nova',
  durationMs: 47 * DAY_MS,
  renewBeforeMs: 37 * DAY_MS,
  keyAlgorithm: 'RSA',
  keySize: 4096,
  isCertSign: false,
  resyncMs: 300_000,
};

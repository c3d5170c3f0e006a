export { CertificateError, type CertificateErrorCode } from './certificate-error.ts';
export type { CertificateContents, CertificateWishes } from './certificate-contents.ts';
export { ensureCertificate } from './certificate-secret.ts';
export { ensureKey } from './key-secret.ts';
export type { SecretPlace } from './secret-place.ts';
export { ensureNodeCertificates, type NodeCertificates } from './node-certificates.ts';

export { CertificateError, type CertificateErrorCode } from './certificate-error.ts';
export type { CertificateContents, CertificateWishes } from './certificate-contents.ts';
export { readCertificateFiles, readPem, type CertificateFiles, type FiledCertificate } from './certificate-files.ts';
export { ensureCertificate } from './certificate-secret.ts';
export { followCertificateFiles, type FollowCertificateDeps } from './follow-certificate-files.ts';
export { ensureKey } from './key-secret.ts';
export type { SecretPlace } from './secret-place.ts';
export { ensureNodeCertificates, type NodeCertificates } from './node-certificates.ts';

export { hostNames, NAME_TAG, NO_NAMES, writeAlternativeNames, type AlternativeNames } from './alternative-names.ts';
export { issueCertificate, toPem, type CertificateContent, type CertificateIssuer } from './issue-certificate.ts';
export type { KeyUsages } from './key-usages.ts';
export { makeSelfSigned, type SelfSignedOptions } from './self-signed-certificate.ts';
export { SUBJECT_TYPE, writeSubject, type Subject } from './subject.ts';
export { TAG } from './write-der.ts';

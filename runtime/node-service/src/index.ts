export { FollowedIdentity, type FollowedIdentityDeps } from './followed-identity.ts';
export { advertisedHost, listenTls, parseListen, urlOf, type ListenAddress, type TlsListener } from './listen.ts';
export { isCannotListen, NodeServiceError, type NodeServiceErrorCode } from './node-service-error.ts';
export type { OwnCertificateOptions, ServerCertificate } from './own-certificate.ts';
export { requestListener, type CallHandler } from './request-listener.ts';
export type { IdentityFiles, ServerIdentity } from './server-identity.ts';
export type { ServiceLabel } from './service-label.ts';

export type { AdmissionStep } from './admission/admission-chain.ts';
export type { LocalApi, LocalApiDocuments } from './aggregation/aggregated-apis.ts';
export type { Incoming } from './http/api-steps.ts';
export type { RequestInfo } from './http/request-info.ts';
export type { UpgradeCall } from './http/upgrade-handler.ts';
export { DEFAULT_LIMITS, type ApiServerOptions, type ServerLimits } from './options.ts';
export type { AdmissionReview } from './registry/admission.ts';
export type { RequestUser } from './registry/write-context.ts';
export { startApiServer, type ApiServer } from './start-api-server.ts';

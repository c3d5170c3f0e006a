import type { JsonObject } from '@smalt/json';
import { microTime, type Status } from '@smalt/kubernetes';

import type { RequestInfo } from '../http/request-info.ts';
import { userInfo } from '../identity/user-info.ts';
import type { User } from '../identity/user.ts';

/** A watch tells when it begins and when it ends; everything else only when it ends. */
export type AuditStage = 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** What is known of a request when it is written down. Bodies are not among it. */
export interface AuditedRequest {
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly info: RequestInfo;
  /** As it was sent, with the query. */
  readonly requestUri: string;
  /** Who asked. */
  readonly user: User;
  /** Whom they acted as, when that was somebody else. */
  readonly impersonatedUser?: User | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly code: number;
  /** The Status that was answered, when something went wrong. */
  readonly failure?: Status | undefined;
  /** Whether the authorizer allowed it, and why; absent when it was not asked. */
  readonly decision?: { readonly allowed: boolean; readonly reason: string } | undefined;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly stageAt: number;
}

const SECRET_PARAMETER = /([?&](?:access_token|token|password|authorization)=)[^&]*/gi;

/** A request in the form of `audit.k8s.io/v1`, at the level Metadata. */
export function auditEvent(request: AuditedRequest): JsonObject {
  const { info, impersonatedUser } = request;
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: request.auditId,
    stage: request.stage,
    requestURI: request.requestUri.replaceAll(SECRET_PARAMETER, '$1REDACTED'),
    verb: info.verb,
    user: userInfo(request.user),
    ...(impersonatedUser === undefined ? {} : { impersonatedUser: userInfo(impersonatedUser) }),
    ...(request.sourceIps.length === 0 ? {} : { sourceIPs: request.sourceIps }),
    ...(request.userAgent === '' ? {} : { userAgent: request.userAgent.slice(0, 1_024) }),
    ...(info.isResourceRequest ? { objectRef: objectReference(info) } : {}),
    responseStatus: responseStatus(request),
    requestReceivedTimestamp: microTime(request.receivedAt),
    stageTimestamp: microTime(request.stageAt),
    ...annotations(request),
  };
}

function objectReference(info: RequestInfo): JsonObject {
  const { plural, namespace, name, group, version, subresource } = info;
  const fields = { resource: plural, namespace, name, apiGroup: group, apiVersion: version, subresource };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

function responseStatus({ code, failure }: AuditedRequest): JsonObject {
  const { status, message, reason } = failure ?? {};
  return {
    metadata: {},
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    code,
  };
}

function annotations({ decision }: AuditedRequest): JsonObject {
  if (decision === undefined) return {};
  const { allowed, reason } = decision;
  const prefix = 'authorization.k8s.io/';
  return { annotations: { [`${prefix}decision`]: allowed ? 'allow' : 'forbid', [`${prefix}reason`]: reason } };
}

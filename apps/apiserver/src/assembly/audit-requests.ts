import { auditEvent, type AuditStage } from '../audit/audit-event.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { isAudited } from '../audit/is-audited.ts';
import type { ApiHandlerSteps, NotedRequest, Outcome, Requester } from '../http/api-steps.ts';
import { ANONYMOUS } from '../identity/user.ts';

/** Where audit events go: the file, and the newest of them for those who may look. */
export interface AuditPlaces {
  readonly log: Pick<AuditLog, 'add'>;
  readonly trail: Pick<AuditTrail, 'add'>;
}

/** Writes requests into the audit log: streams when they start, and everything when it was answered. */
export function auditRequests({ log, trail }: AuditPlaces): Pick<ApiHandlerSteps, 'started' | 'finished'> {
  const add = (incoming: NotedRequest, stage: AuditStage, outcome: Outcome): void => {
    if (!isAudited(incoming.info)) return;
    const event = auditEvent(auditedRequest(incoming, stage, outcome));
    log.add(event);
    trail.add(event);
  };
  return {
    started: (incoming, outcome) => add(incoming, 'ResponseStarted', outcome),
    finished: (incoming, outcome) => add(incoming, outcome.isPanic ? 'Panic' : 'ResponseComplete', outcome),
  };
}

function auditedRequest(
  { exchange, info, auditId }: NotedRequest,
  stage: AuditStage,
  outcome: Outcome,
): Parameters<typeof auditEvent>[0] {
  const requester: Requester = outcome.requester ?? { user: ANONYMOUS, actingAs: ANONYMOUS };
  const { user, actingAs } = requester;
  const { socket } = exchange.request;
  const address = 'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? [socket.remoteAddress] : [];
  return {
    auditId,
    stage,
    info: info.name === '' && exchange.createdName !== undefined ? { ...info, name: exchange.createdName } : info,
    requestUri: exchange.url,
    user,
    impersonatedUser: user === actingAs ? undefined : actingAs,
    sourceIps: address,
    userAgent: exchange.header('user-agent') ?? '',
    code: exchange.code,
    failure: outcome.failure,
    decision: outcome.decision,
    receivedAt: outcome.receivedAt,
    stageAt: Date.now(),
  };
}

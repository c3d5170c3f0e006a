import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

import type { Deed } from '../../api/rights.ts';
import type { Tone } from '../../parts/status-badge.tsx';

/** One request to the API server: who asked for what, and what became of it. */
export interface AuditEvent extends KubernetesObject {
  readonly stage?: string;
  readonly verb?: string;
  readonly requestURI?: string;
  readonly user?: AuditedUser;
  /** As whom they acted, when that was somebody else. */
  readonly impersonatedUser?: AuditedUser;
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
  readonly stageTimestamp?: string;
}

interface AuditedUser {
  readonly username?: string;
}

/** Our API server serves its newest audit events as objects; Kubernetes has no such kind. */
export const auditEventKind: KindReference<AuditEvent> = {
  group: 'audit.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'auditevents',
  isNamespaced: false,
};

export const READ_AUDIT: Deed = { verb: 'watch', group: auditEventKind.group, resource: auditEventKind.plural };

/** Who did it, such as `admin` or `alice as bob`. */
export function whoWords({ user, impersonatedUser }: AuditEvent): string {
  const name = user?.username ?? 'nobody known';
  return impersonatedUser?.username === undefined ? name : `${name} as ${impersonatedUser.username}`;
}

/** What was done, such as `update virtualmachines/stop`. */
export function deedWords({ verb = '', objectRef, requestURI = '' }: AuditEvent): string {
  const { resource, subresource } = objectRef ?? {};
  if (resource === undefined) return `${verb} ${requestURI.split('?')[0] ?? ''}`;
  return `${verb} ${[resource, subresource].filter(Boolean).join('/')}`;
}

/** To what it was done, such as `default/demo`; empty for all of a kind. */
export function objectWords({ objectRef }: AuditEvent): string {
  return [objectRef?.namespace, objectRef?.name].filter(Boolean).join('/');
}

const BEGUN = 'ResponseStarted';

/** What became of it. */
export function outcomeOf({ stage, responseStatus }: AuditEvent): 'begun' | 'done' | 'refused' | 'failed' {
  const { code = 0 } = responseStatus ?? {};
  if (code >= 500) return 'failed';
  if (code >= 400) return 'refused';
  return stage === BEGUN ? 'begun' : 'done';
}

/** The same in words, with what the server said. */
export function outcomeWords(event: AuditEvent): { readonly words: string; readonly tone: Tone } {
  const { code, message } = event.responseStatus ?? {};
  const said = message ?? (code === undefined ? '' : String(code));
  switch (outcomeOf(event)) {
    case 'begun':
      return { words: 'Under way', tone: 'busy' };
    case 'done':
      return { words: 'Done', tone: 'good' };
    case 'refused':
      return { words: `Refused: ${said}`, tone: 'warning' };
    case 'failed':
      return { words: `Failed: ${said}`, tone: 'bad' };
  }
}

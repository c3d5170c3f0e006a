import type { X509Certificate } from 'node:crypto';

import type { ConditionStatement } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType } from '@smalt/fleet-api';

const { TLSCertificateInstalled: Reason } = HypervisorConditionReason;
/** The last part of a certificate's life, in which it should have been renewed long ago. */
const NEAR_END = 0.1;

/** How far the installation of the certificate is. */
export type CertificateState =
  | { readonly kind: 'waiting'; readonly secret: string }
  | { readonly kind: 'installing' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'not-reloaded'; readonly why: string }
  /** `orphaned` names the Secret that is gone, so that nothing will come after this certificate. */
  | { readonly kind: 'ready'; readonly isNew: boolean; readonly expiry?: Expiry; readonly orphaned?: string };

/** When a certificate ends, and whether that is soon. */
export interface Expiry {
  readonly at: Date;
  readonly isNear: boolean;
}

/** The condition that tells people, and the operator, how far the installation is. */
export function certificateCondition(state: CertificateState): ConditionStatement {
  const type = HypervisorConditionType.tlsCertificateInstalled;
  switch (state.kind) {
    case 'waiting':
      return { type, status: 'False', reason: Reason.installing, message: `Waiting for the Secret ${state.secret}` };
    case 'installing':
      return { type, status: 'False', reason: Reason.installing, message: 'Installing TLS certificate from Secret' };
    case 'refused': {
      const message = `Failed to update TLS certificate: ${state.why}`;
      return { type, status: 'False', reason: Reason.failedToUpdateTlsCertificate, message };
    }
    case 'not-reloaded': {
      const message = `Installed the TLS certificate, but the daemon still uses the old one: ${state.why}`;
      return { type, status: 'False', reason: Reason.failedToStartUpdateTlsService, message };
    }
    case 'ready':
      return { type, status: 'True', reason: Reason.ready, message: readyMessage(state) };
  }
}

export function expiryOf(certificate: Pick<X509Certificate, 'validFromDate' | 'validToDate'>, now: Date): Expiry {
  const { validFromDate, validToDate } = certificate;
  const lifetimeMs = validToDate.getTime() - validFromDate.getTime();
  return { at: validToDate, isNear: validToDate.getTime() - now.getTime() < lifetimeMs * NEAR_END };
}

function readyMessage({ isNew, expiry, orphaned }: Extract<CertificateState, { kind: 'ready' }>): string {
  const words = [`TLS certificate is ready and ${isNew ? 'updated' : 'up to date'}`];
  if (orphaned !== undefined) words.push(`its Secret ${orphaned} is gone, so it will not be renewed`);
  if (expiry?.isNear === true) words.push(`it expires at ${expiry.at.toISOString()} and has not been renewed`);
  return words.join('; ');
}

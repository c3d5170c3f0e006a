import type { JsonObject } from '@smalt/json';

import { badRequestError } from '../errors/make-status-error.ts';
import { objectAt, textAt, textsAt } from './object-fields.ts';
import type { TokenVerdict } from './service-account-tokens.ts';
import { userInfo } from './user-info.ts';
import type { User } from './user.ts';

export interface TokenChecker {
  authenticateToken(token: string, audiences?: readonly string[]): TokenVerdict;
}

const INVALID = 'invalid bearer token';

/** Answers a TokenReview: whom a token stands for, if anybody. */
export function reviewToken(checker: TokenChecker, namespace: string, review: JsonObject): JsonObject {
  if (namespace !== '') throw badRequestError(`namespace is not allowed on this type: ${namespace}`);
  const spec = objectAt(review, 'spec');
  const token = textAt(spec, 'token');
  if (token === '') throw badRequestError('token is required for TokenReview in authentication');
  const audiences = textsAt(spec, 'audiences');
  const verdict = checker.authenticateToken(token, audiences.length === 0 ? undefined : audiences);
  return { ...review, status: statusOf(verdict) };
}

/** Answers a SelfSubjectReview: who the one is that asks. */
export function reviewSelf(user: User, now: Date): JsonObject {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: now.toISOString().replace(/[.]\d+Z$/, 'Z') },
    status: { userInfo: userInfo(user) },
  };
}

function statusOf(verdict: TokenVerdict): JsonObject {
  switch (verdict.kind) {
    case 'user':
      return { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences };
    case 'refused':
      return { user: {}, error: `[${INVALID}, ${verdict.message}]` };
    case 'unknown':
      return { user: {}, error: INVALID };
  }
}

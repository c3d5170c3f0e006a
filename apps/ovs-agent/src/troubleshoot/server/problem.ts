import { CallersError, type CallersErrorCode } from '@smalt/kubernetes-callers';
import { isOvsError, type OvsErrorCode } from '@smalt/ovs';

import { OvsAgentError, type FieldProblem, type OvsAgentErrorCode } from '../../ovs-agent-error.ts';

/** An answer that says what is wrong, as of RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Every field of the request that is wrong. */
  readonly problems?: readonly FieldProblem[];
  readonly requestId: string;
}

const STATUS: Readonly<Record<OvsAgentErrorCode | CallersErrorCode, number>> = {
  'bad-setting': 500,
  'invalid-request': 422,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'too-many-requests': 429,
  unauthorized: 401,
  forbidden: 403,
  unavailable: 503,
};

/** What the switch has refused is the caller's affair; what it cannot do now may pass. */
const SWITCH_STATUS: Readonly<Partial<Record<OvsErrorCode, number>>> = {
  refused: 422,
  'invalid-argument': 422,
  unsupported: 501,
};

/** Puts an error into the words of an answer. What it does not know is told without details: they are in the log. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof OvsAgentError || error instanceof CallersError) {
    const { code, message } = error;
    const problems = error instanceof OvsAgentError && error.problems.length > 0 ? { problems: error.problems } : {};
    return { ...problem(code, STATUS[code], message), ...problems, requestId };
  }
  if (isOvsError(error)) {
    const status = SWITCH_STATUS[error.code] ?? 503;
    return { ...problem(`switch-${error.code}`, status, `Open vSwitch: ${error.message}`), requestId };
  }
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const detail = isLate
    ? 'it took too long: the switch or the cluster is slow; try again'
    : `it could not be done: the log of the agent has request ${requestId}`;
  return { ...problem(isLate ? 'unavailable' : 'failed', isLate ? 503 : 500, detail), requestId };
}

function problem(code: string, status: number, detail: string): Omit<Problem, 'requestId'> {
  return { type: `urn:smalt:ovs-agent:${code}`, title: code.replaceAll('-', ' '), status, detail };
}

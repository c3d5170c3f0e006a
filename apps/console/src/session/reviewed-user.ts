import { isJsonObject, type JsonValue } from '@smalt/json';
import { isKubeError, KubeClient, type KubeConfig } from '@smalt/kube';

import { ConsoleError } from '../console-error.ts';

/** Who somebody is, as the API server says. */
export interface ReviewedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Asks the API server, with a token, whose it is. Throws `signed-out` when it knows nobody by it. */
export async function reviewUser(apiServer: KubeConfig, token: string, signal: AbortSignal): Promise<ReviewedUser> {
  await using client = userClient(apiServer, token);
  try {
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    return readUser(await client.request({ method: 'POST', path, body, signal }));
  } catch (error) {
    if (isKubeError(error, 'unauthorized')) throw unknownToken(error);
    if (!isKubeError(error)) throw error;
    const message = 'the API server cannot be asked who you are: see whether it runs, and try again';
    throw new ConsoleError('unavailable', message, { cause: error });
  }
}

/** A client that is the user, and nobody else. */
export function userClient(apiServer: KubeConfig, token: string): KubeClient {
  const identity = { kind: 'token', token: { kind: 'text', text: token } } as const;
  return new KubeClient({ config: { ...apiServer, identity }, userAgent: 'smalt-console/0.1.0' });
}

function readUser(answer: JsonValue): ReviewedUser {
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  const info = isJsonObject(status) ? status['userInfo'] : undefined;
  const name = isJsonObject(info) ? info['username'] : undefined;
  const groups = isJsonObject(info) ? info['groups'] : undefined;
  if (typeof name !== 'string' || name === '' || name === 'system:anonymous') throw unknownToken();
  return { name, groups: Array.isArray(groups) ? groups.filter((each) => typeof each === 'string') : [] };
}

function unknownToken(cause?: unknown): ConsoleError {
  const next = 'make a new one, such as by: kubectl create token NAME';
  return new ConsoleError('signed-out', `the API server does not know this token: ${next}`, { field: 'token', cause });
}

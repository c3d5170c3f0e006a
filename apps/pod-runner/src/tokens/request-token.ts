import { isJsonObject } from '@smalt/json';
import { isNotFound, type KubeClient } from '@smalt/kube';
import { resourcePath, type KindReference } from '@smalt/kubernetes';
import { messageOf } from '@smalt/service-runtime';

import { PodRunnerError } from '../pod-runner-error.ts';
import type { RunnerPod } from '../pods/pod.ts';
import type { TokenSource } from '../volumes/file-source.ts';

const serviceAccountKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  isNamespaced: true,
};

export interface IssuedToken {
  readonly token: string;
  /** How long it is good for, which the server decides. */
  readonly expirationSeconds: number;
}

/**
 * Gets a token of the account that a pod runs as; it ends with the pod. Throws `volume-not-ready` when the account is
 * missing, and `invalid-pod` for a pod that has none.
 */
export async function requestToken(
  client: KubeClient,
  pod: RunnerPod,
  source: TokenSource,
  signal: AbortSignal,
): Promise<IssuedToken> {
  const { namespace = '', name, uid } = pod.metadata;
  const { serviceAccountName: account = '' } = pod.spec;
  if (account === '') {
    throw new PodRunnerError('invalid-pod', 'spec.serviceAccountName: name the account that the token is of');
  }
  const { audience, expirationSeconds } = source;
  const spec = {
    audiences: audience === undefined ? [] : [audience],
    expirationSeconds,
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
  };
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
  const path = resourcePath({ ...serviceAccountKind, namespace, name: account, subresource: 'token' });
  const answer = await client.request({ method: 'POST', path, body, signal }).catch((cause: unknown) => {
    if (!isNotFound(cause)) throw cause;
    const what = `there is no token of the ServiceAccount ${namespace}/${account}`;
    throw new PodRunnerError('volume-not-ready', `${what}: ${messageOf(cause)}; create it`, { cause });
  });
  return readAnswer(answer, source);
}

function readAnswer(answer: unknown, source: TokenSource): IssuedToken {
  const { spec, status } = isJsonObject(answer) ? answer : {};
  const token = isJsonObject(status) ? status['token'] : undefined;
  const seconds = isJsonObject(spec) ? spec['expirationSeconds'] : undefined;
  if (typeof token !== 'string' || token === '') {
    throw new PodRunnerError('volume-not-ready', 'the API server answers a request for a token with something else');
  }
  return { token, expirationSeconds: typeof seconds === 'number' ? seconds : source.expirationSeconds };
}

import { isNotFound, type KubeClient } from '@smalt/kube';
import { apiVersionOf, type KindReference } from '@smalt/kubernetes';
import { messageOf } from '@smalt/service-runtime';

import { OperatorError } from '../operator-error.ts';

type AskedKind = Pick<KindReference, 'group' | 'version' | 'plural'>;

/** Whether the API server serves a kind now. */
export async function isServed(client: KubeClient, kind: AskedKind, signal: AbortSignal): Promise<boolean> {
  const root = kind.group === '' ? '/api' : '/apis';
  try {
    const answer = await client.request({ method: 'GET', path: `${root}/${apiVersionOf(kind)}`, signal });
    return namesOf(answer).includes(kind.plural);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Refuses a cluster that lacks kinds without which there is nothing to do. */
export async function requireKinds(
  client: KubeClient,
  kinds: readonly AskedKind[],
  signal: AbortSignal,
): Promise<void> {
  const served = await askFirst(client, kinds, signal);
  const missing = kinds.filter((_, index) => served[index] !== true);
  if (missing.length === 0) return;
  const names = missing.map(({ plural, group }) => `${plural}.${group}`).join(' and ');
  throw new OperatorError(
    'missing-definitions',
    `${client.config.server} does not serve ${names}: install them with kubectl apply -f deploy/helm/smalt/files/crds`,
  );
}

/** The first question to the API server: what is wrong with the way there shows here. */
async function askFirst(
  client: KubeClient,
  kinds: readonly AskedKind[],
  signal: AbortSignal,
): Promise<readonly boolean[]> {
  try {
    return await Promise.all(kinds.map((kind) => isServed(client, kind, signal)));
  } catch (error) {
    signal.throwIfAborted();
    const message = `${client.config.server} does not tell what it serves: ${messageOf(error)}: check the kubeconfig and whether the API server runs`;
    throw new OperatorError('api-unavailable', message, { cause: error });
  }
}

function namesOf(answer: unknown): readonly unknown[] {
  if (typeof answer !== 'object' || answer === null || !('resources' in answer)) return [];
  const { resources } = answer;
  if (!Array.isArray(resources)) return [];
  return resources.map((resource: unknown) =>
    typeof resource === 'object' && resource !== null && 'name' in resource ? resource.name : undefined,
  );
}

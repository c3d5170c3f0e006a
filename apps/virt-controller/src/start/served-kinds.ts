import { isNotFound, type KubeClient } from '@smalt/kube';
import { apiVersionOf, type KindReference } from '@smalt/kubernetes';

import { VirtControllerError } from '../virt-controller-error.ts';

type AskedKind = Pick<KindReference, 'group' | 'version' | 'plural'>;

/** Whether the API server serves a kind now. */
export async function isServed(client: KubeClient, kind: AskedKind, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await client.request({ method: 'GET', path: `/apis/${apiVersionOf(kind)}`, signal });
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
  const missing: string[] = [];
  for (const kind of kinds) {
    if (!(await isServed(client, kind, signal))) missing.push(`${kind.plural}.${kind.group}`);
  }
  if (missing.length === 0) return;
  const message = `${client.config.server} does not know ${missing.join(', ')}: install them with kubectl apply -f deploy/helm/smalt/files/crds`;
  throw new VirtControllerError('missing-definitions', message);
}

function namesOf(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !('resources' in answer)) return [];
  const resources: unknown = answer.resources;
  if (!Array.isArray(resources)) return [];
  return resources.flatMap((resource: unknown) =>
    typeof resource === 'object' && resource !== null && 'name' in resource && typeof resource.name === 'string'
      ? [resource.name]
      : [],
  );
}

import { hypervisorKind } from '@smalt/fleet-api';
import { isNotFound, type KubeClient } from '@smalt/kube';
import { apiVersionOf } from '@smalt/kubernetes';
import { messageOf, type Logger } from '@smalt/service-runtime';

import { HaServiceError } from '../ha-service-error.ts';

/** Refuses a cluster that does not know Hypervisors. One that is away is waited for by others. */
export async function requireDefinitions(client: KubeClient, logger: Logger, signal: AbortSignal): Promise<void> {
  const { server } = client.config;
  const next = 'install it with kubectl apply -f deploy/helm/smalt/files/crds';
  try {
    const answer = await client.request({ method: 'GET', path: `/apis/${apiVersionOf(hypervisorKind)}`, signal });
    if (JSON.stringify(answer).includes(`"${hypervisorKind.plural}"`)) return;
  } catch (error) {
    signal.throwIfAborted();
    if (!isNotFound(error)) {
      logger.warn({ server, reason: messageOf(error) }, 'the API server is away; the service waits for it');
      return;
    }
  }
  throw new HaServiceError('missing-definitions', `${server} does not serve ${hypervisorKind.plural}: ${next}`);
}

import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { isNotFound, type KubeClient } from '@smalt/kube';

/**
 * A Hypervisor as the API server has it by now, as long as what is wanted of it is what was seen; undefined otherwise. The cache
 * is minutes behind while a watch hangs, so whoever does what cannot be taken back asks here first.
 */
export async function unchangedHypervisor(
  client: KubeClient,
  { metadata: seen }: Hypervisor,
  signal: AbortSignal,
): Promise<Hypervisor | undefined> {
  try {
    const current = await client.resource(hypervisorKind).get(seen.name, { signal });
    const { uid, generation, deletionTimestamp } = current.metadata;
    if (uid !== seen.uid || generation !== seen.generation || deletionTimestamp !== undefined) return undefined;
    return current;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

import type { ComputeInstance, HostIdentity } from '@smalt/compute';

import { call, type EngineContext } from './engine-context.ts';

/** The instances that are lost if a host is: those that are only on their way there run elsewhere. */
export async function listInstances(
  context: Pick<EngineContext, 'ports' | 'settings'>,
  host: HostIdentity,
  signal: AbortSignal,
): Promise<readonly ComputeInstance[]> {
  const { instances } = context.ports.compute;
  const listed = await call(context, 'listing instances', signal, (inner) => instances.list(host, inner));
  return listed.filter(({ isArriving }) => isArriving !== true);
}

import type { ComputeInstance, HostIdentity } from '@smalt/compute';

import { call, type EngineContext } from './engine-context.ts';

/** The instances that are lost if a host is: those that are only on their way there run elsewhere. */
export async function listInstances(
  context: Pick<EngineContext, 'ports' | 'settings'>,
  host: HostIdentity,
  signal: AbortSignal,
): Promise<readonly ComputeInstance[]> {
  return (await listAll(context, host, signal)).filter(isLostWithHost);
}

/** Whether an instance in the list of a host is lost with it. */
export function isLostWithHost({ isArriving }: ComputeInstance): boolean {
  return isArriving !== true;
}

/** With those on their way there: where the host that they come from is dead too, they start elsewhere only once both are off. */
export async function listAll(
  context: Pick<EngineContext, 'ports' | 'settings'>,
  host: HostIdentity,
  signal: AbortSignal,
): Promise<readonly ComputeInstance[]> {
  const { instances } = context.ports.compute;
  return await call(context, 'listing instances', signal, (inner) => instances.list(host, inner));
}

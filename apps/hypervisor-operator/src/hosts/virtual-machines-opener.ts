import { isKubeError, isNotFound, type KubeClient } from '@smalt/kube';
import { virtualMachineKind } from '@smalt/vm-api';
import { createVmCompute, type VmComputeSettings } from '@smalt/vm-compute';

import { OperatorError } from '../operator-error.ts';
import type { OpenCompute } from '../operator-options.ts';
import { readConsole } from './read-console.ts';

/** How an operator opens the VirtualMachines of its own cluster as a compute system. */
export function virtualMachinesOpener(settings: VmComputeSettings): OpenCompute {
  return ({ client, clock }) => ({
    compute: createVmCompute({
      client,
      settings,
      readConsole,
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
    }),
    check: (signal) => requireVirtualMachines(client, signal),
    [Symbol.asyncDispose]: async () => {},
  });
}

async function requireVirtualMachines(client: KubeClient, signal: AbortSignal): Promise<void> {
  try {
    await client.resource(virtualMachineKind).list({ limit: 1, signal });
  } catch (error) {
    if (isNotFound(error)) {
      const message =
        'compute is virtual-machines, but the cluster knows none: kubectl apply -f deploy/helm/smalt/files/crds';
      throw new OperatorError('missing-definitions', message, { cause: error });
    }
    if (!isKubeError(error, 'forbidden', 'unauthorized')) throw error;
    const message = `the cluster lets the operator see no VirtualMachines: ${error.message}: give it a role that does`;
    throw new OperatorError('login-refused', message, { cause: error });
  }
}

import { isComputeError } from '@smalt/compute';
import { isOpenStackError, OpenStackClient, type CloudConfig } from '@smalt/openstack';
import { openOpenStackCompute } from '@smalt/openstack-compute';

import { countOpenStackRequests } from './count-openstack-requests.ts';
import { OperatorError } from '../operator-error.ts';
import type { OpenCompute } from '../operator-options.ts';
import type { OpenStackSettings } from '../settings/operator-settings.ts';

/** Refusals that no waiting changes. */
const FOR_GOOD = ['unauthorized', 'forbidden', 'bad-config', 'bad-request', 'no-endpoint', 'not-found'] as const;

/** How an operator opens the compute system of an OpenStack cloud. */
export function openStackOpener(config: CloudConfig, { compute: settings, ...limits }: OpenStackSettings): OpenCompute {
  return ({ metrics, userAgent }) => {
    const onExchange = countOpenStackRequests(metrics);
    const owner = new AsyncDisposableStack();
    const compute = owner.use(
      refusingBadSettings(() => openOpenStackCompute({ ...limits, config, settings, userAgent, onExchange })),
    );
    const client = owner.use(new OpenStackClient({ ...limits, config, userAgent, onExchange, maxAttempts: 1 }));
    return {
      compute,
      check: (signal) => logIn(client, config, signal),
      [Symbol.asyncDispose]: () => owner.disposeAsync(),
    };
  };
}

function refusingBadSettings<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!isComputeError(error, 'refused')) throw error;
    throw new OperatorError('bad-setting', `openstack.${error.message}`, { cause: error });
  }
}

async function logIn(client: OpenStackClient, { authUrl }: CloudConfig, signal: AbortSignal): Promise<void> {
  try {
    await client.whoAmI({ signal });
  } catch (error) {
    if (!isOpenStackError(error, ...FOR_GOOD)) throw error;
    const message = `${authUrl} refuses the operator: ${error.message}: check OS_USERNAME, OS_PASSWORD and OS_PROJECT_NAME, or clouds.yaml`;
    throw new OperatorError('login-refused', message, { cause: error });
  }
}

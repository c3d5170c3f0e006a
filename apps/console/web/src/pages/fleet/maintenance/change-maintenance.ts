import { hypervisorKind } from '@smalt/fleet-api';

import type { ApiClient } from '../../../api/api-client.ts';
import { ApiError } from '../../../api/api-error.ts';

/** A change of maintenance, from what a person was shown to what they want. */
export interface MaintenanceChange {
  readonly host: string;
  readonly from: '' | 'manual';
  readonly to: '' | 'manual';
  readonly reason: string;
}

/** Others write hosts every few seconds; who loses this often in a row has another problem. */
const ATTEMPTS = 10;
const WHO: Readonly<Record<string, string>> = {
  '': 'it is not in maintenance any more',
  manual: 'somebody has begun maintenance',
  auto: 'the operator has begun maintenance',
  ha: 'the HA service holds it, because it takes it for lost',
  termination: 'its node is being removed',
};

/** Changes maintenance of a host, unless somebody else has changed it since it was shown: theirs is never written over. */
export async function changeMaintenance(
  api: Pick<ApiClient, 'get' | 'patch'>,
  { host: name, from, to, reason }: MaintenanceChange,
): Promise<void> {
  const spec = { maintenance: to, maintenanceReason: reason };
  for (let attempt = 1; ; attempt++) {
    const { metadata, spec: known } = await api.get(hypervisorKind, { name });
    const { maintenance = '' } = known ?? {};
    if (maintenance !== from) throw changedMeanwhile(maintenance);
    try {
      await api.patch(hypervisorKind, { name }, { metadata: { resourceVersion: metadata.resourceVersion }, spec });
      return;
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === 'conflict';
      if (!isConflict || attempt === ATTEMPTS) throw error;
    }
  }
}

function changedMeanwhile(maintenance: string): ApiError {
  const who = WHO[maintenance] ?? `its maintenance is "${maintenance}"`;
  return new ApiError({ code: 'conflict', status: 409, message: `It has changed meanwhile: ${who}. Look again.` });
}

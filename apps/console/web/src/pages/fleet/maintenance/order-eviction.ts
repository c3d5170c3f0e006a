import { evictionKind, type Eviction } from '@smalt/fleet-api';

import type { ApiClient } from '../../../api/api-client.ts';
import { ApiError } from '../../../api/api-error.ts';
import { pictureEviction } from './eviction-progress.ts';

/** Has a host emptied. There is one eviction of its name, as of all who order one; one that is under way counts. */
export async function orderEviction(
  api: Pick<ApiClient, 'get' | 'create'>,
  host: string,
  reason: string,
): Promise<void> {
  const { group, version, kind } = evictionKind;
  const eviction = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: host },
    spec: { hypervisor: host, reason },
  };
  try {
    await api.create(evictionKind, eviction);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    const why = whyNotFollowed(await api.get(evictionKind, { name: host }), host);
    if (why !== undefined) throw new ApiError({ code: 'conflict', status: 409, message: why, cause: error });
  }
}

function whyNotFollowed(known: Eviction, host: string): string | undefined {
  if (known.spec?.hypervisor !== host) return `The eviction ${host} is of another host. Delete it first.`;
  if (known.metadata.deletionTimestamp !== undefined) {
    return 'An earlier eviction is being taken back. Order it again when that is done.';
  }
  if (!pictureEviction(known).isOver) return undefined;
  return 'An earlier eviction is over and still holds the host. Clear it away first.';
}

import { showBonds } from '@smalt/ovs';
import type { SwitchTopology } from '@smalt/ovs-api';
import { switchTopology } from '@smalt/switch-health';

import type { SwitchAccess } from '../../switch-access.ts';
import { ask } from './ask.ts';

/** What is plugged in where. Only bonds are asked about; all else is known already. */
export async function describeTopology(access: SwitchAccess, signal: AbortSignal): Promise<SwitchTopology> {
  const bonds = await ask(signal, async () => showBonds(await access.unixctl('ovs-vswitchd', signal), { signal }));
  return switchTopology(access.facts(), bonds);
}

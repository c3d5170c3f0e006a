import { styleText } from 'node:util';

import type { SessionState } from '@smalt/libvirt';

/** What a person should hear of the session: that its daemon is gone. Its return shows among the events. */
export function stateText(state: SessionState): string | undefined {
  if (state.kind !== 'waiting') return undefined;
  const seconds = (state.delayMs / 1000).toFixed(1);
  return styleText('yellow', `libvirtd cannot be reached (${state.error.message}); trying again in ${seconds} s`);
}

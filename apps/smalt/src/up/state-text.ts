import { styleText } from 'node:util';

import type { SessionState } from '@smalt/libvirt';

import { printableText } from '../printable-text.ts';

/** What a person should hear of the session: that its daemon is gone. Its return shows among the events. */
export function stateText(state: SessionState): string | undefined {
  if (state.kind !== 'waiting') return undefined;
  const seconds = (state.delayMs / 1000).toFixed(1);
  const reason = printableText(state.error.message);
  return styleText('yellow', `libvirtd cannot be reached (${reason}); trying again in ${seconds} s`);
}

import { useState } from 'react';

import type { StreamState } from '../../../live/open-stream.ts';
import { useStream } from '../../../live/use-stream.ts';
import { subresourcePath } from '../actions/run-machine-action.ts';
import { isRunning } from '../machine-state.ts';
import type { Machine } from '../machine.ts';
import { addUsage, type UsageHistory } from './usage-history.ts';

/** What the machine uses, measured once a second while this is on the page. */
export function useUsage(machine: Machine): { readonly state: StreamState; readonly history: UsageHistory } {
  const [history, setHistory] = useState<UsageHistory>([]);
  const path = isRunning(machine) ? subresourcePath(machine, 'virtualmachineinstances', 'usage') : undefined;
  const state = useStream(path, (message) => setHistory((before) => addUsage(before, message)));
  return { state, history };
}

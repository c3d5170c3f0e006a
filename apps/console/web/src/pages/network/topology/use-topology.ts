import type { OVSNode, SwitchTopology } from '@smalt/ovs-api';
import { useCallback, useEffect, useState } from 'react';

import type { ApiClient } from '../../../api/api-client.ts';
import { messageOf } from '../../../api/api-error.ts';
import { useServices } from '../../../services.ts';
import { switchPath } from '../switch-path.ts';
import { readTopology } from './read-topology.ts';
import { topologyRevision } from './topology-revision.ts';

export interface TopologyAnswer {
  /** The last that was answered, also while a newer one is asked for. */
  readonly topology: SwitchTopology | undefined;
  /** Why there is no newer one. */
  readonly failure: string | undefined;
  readonly isReading: boolean;
  readonly again: () => void;
}

interface LastAnswer extends Pick<TopologyAnswer, 'topology' | 'failure'> {
  /** What was asked then; another question is not answered by it. */
  readonly question: string;
}

/** What is plugged in where, asked of the agent anew whenever its OVSNode says that something has changed. */
export function useTopology(node: OVSNode, isAllowed: boolean): TopologyAnswer {
  const { api } = useServices();
  const [last, setLast] = useState<LastAnswer>();
  const [asked, setAsked] = useState(0);
  const path = isAllowed ? switchPath(node.metadata, 'v1/topology') : undefined;
  const question = `${asked} ${topologyRevision(node.status)}`;
  useEffect(() => {
    if (path === undefined) return undefined;
    const { signal, stop } = stoppable();
    const ask = async (): Promise<void> => {
      const answer = await askTopology(api, path, signal);
      if (signal.aborted) return;
      setLast((before) => ({ topology: before?.topology, ...answer, question }));
    };
    void ask();
    return stop;
  }, [api, path, question]);
  const again = useCallback(() => setAsked((count) => count + 1), []);
  const isReading = path !== undefined && last?.question !== question;
  return { topology: last?.topology, failure: last?.failure, isReading, again };
}

type Answered = { readonly topology: SwitchTopology; readonly failure: undefined } | { readonly failure: string };

/** Never rejects: what went wrong is an answer, too. */
async function askTopology(api: Pick<ApiClient, 'call'>, path: string, signal: AbortSignal): Promise<Answered> {
  try {
    const topology = readTopology(await api.call('GET', path, { signal }));
    if (topology !== undefined) return { topology, failure: undefined };
    return { failure: 'The agent answered something that is no picture of a switch.' };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

function stoppable(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort() };
}

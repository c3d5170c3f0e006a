import type { OVSNode } from '@smalt/ovs-api';
import { useCallback, useEffect, useRef, useState } from 'react';

import { useServices } from '../../../services.ts';
import { switchPath } from '../switch-path.ts';
import { captureBody, captureFileName, type CaptureForm } from './capture-form.ts';
import { receiveCapture, type CaptureProgress, type ReceivedCapture } from './receive-capture.ts';

export type CaptureState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: CaptureProgress }
  | {
      readonly kind: 'ended';
      readonly capture: ReceivedCapture;
      readonly fileName: string;
      readonly wasStopped: boolean;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface CaptureRun {
  readonly state: CaptureState;
  readonly start: (form: CaptureForm) => Promise<void>;
  /** Ends it early; what has come until then is kept. */
  readonly stop: () => void;
}

/** One capture at a time. It ends with the page. */
export function useCapture(node: OVSNode): CaptureRun {
  const { api } = useServices();
  const [state, setState] = useState<CaptureState>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { namespace, name } = node.metadata;
  const start = useCallback(
    async (form: CaptureForm) => {
      const stop = new AbortController();
      running.current?.abort();
      running.current = stop;
      const tell = (next: CaptureState): void => {
        if (running.current === stop) setState(next);
      };
      tell({ kind: 'running', progress: { bytes: 0, packets: 0 } });
      try {
        const path = switchPath({ namespace, name }, 'v1/captures');
        const { body } = await api.open('POST', path, { body: captureBody(form), signal: stop.signal });
        if (body === null) throw new Error('The agent answered without packets.');
        const capture = await receiveCapture(body, (progress) => tell({ kind: 'running', progress }));
        const fileName = captureFileName(name, form.name, new Date());
        tell({ kind: 'ended', capture, fileName, wasStopped: stop.signal.aborted });
      } catch (error) {
        tell(stop.signal.aborted ? { kind: 'idle' } : { kind: 'failed', error });
      }
    },
    [api, namespace, name],
  );
  const stop = useCallback(() => running.current?.abort(), []);
  return { state, start, stop };
}

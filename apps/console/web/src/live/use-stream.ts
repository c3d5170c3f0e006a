import { useEffect, useRef, useState } from 'react';

import { useServices } from '../services.ts';
import { openStream, type StreamState } from './open-stream.ts';
import { socketUrl, STREAM_PROTOCOL } from './socket-url.ts';
import { whyRefused } from './why-refused.ts';

function doNothing(): void {}

/** Follows a stream of JSON messages while the component is there; it comes back by itself. Without a path nothing is opened. */
export function useStream(
  path: string | undefined,
  onMessage: (message: unknown) => void,
  onOpen: () => void = doNothing,
): StreamState {
  const { api } = useServices();
  const [state, setState] = useState<StreamState>({ kind: 'connecting' });
  const latest = useRef({ onMessage, onOpen });
  useEffect(() => {
    latest.current = { onMessage, onOpen };
  });
  useEffect(() => {
    if (path === undefined) return undefined;
    return openStream({
      connect: () => new WebSocket(socketUrl(path), [STREAM_PROTOCOL]),
      whyRefused: () => whyRefused(api, path),
      onMessage: (message) => latest.current.onMessage(message),
      onOpen: () => latest.current.onOpen(),
      onState: setState,
      later: (run, delayMs) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
      random: () => Math.random(),
    });
  }, [api, path]);
  return state;
}

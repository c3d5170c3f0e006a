import { humanDuration } from '@smalt/kubernetes';
import { useEffect, useState, type ReactElement } from 'react';

import { momentWords } from './time-words.ts';

const STEP_MS = 10_000;

/** How long ago that was, kept current; the moment itself on hovering. */
export function Age({ at }: { readonly at: string | undefined }): ReactElement {
  const now = useNow(STEP_MS);
  if (at === undefined || at === '') return <>–</>;
  return (
    <time dateTime={at} title={momentWords(at)}>
      {humanDuration(Math.max(0, now - Date.parse(at)))}
    </time>
  );
}

/** The time in milliseconds since 1970, as fresh as the step. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [stepMs]);
  return now;
}

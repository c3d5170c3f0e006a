import { Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { useNow } from '../../../parts/age.tsx';
import { timeWords } from '../../../parts/time-words.ts';
import type { Words } from '../words.ts';
import { judgementStateWords, signalWords, sourceWords } from '../words.ts';
import { historyNote, shownSpan, stretchesOf, type HostHistory, type StateChange } from './signal-strip.ts';
import classes from './signal-strips.module.css';

const STEP_MS = 5_000;

/** How a host was judged, and what each source said; the newest is on the right. */
export function SignalStrips({ history }: { readonly history: HostHistory }): ReactElement {
  const span = shownSpan(history, useNow(STEP_MS));
  const minutes = Math.round((span.toMs - span.fromMs) / 60_000);
  const note = historyNote(history);
  if (history.judgements.length === 0) return <Text c="dimmed">{note}</Text>;
  return (
    <>
      {note === undefined ? undefined : <Text c="dimmed">{note}</Text>}
      <Strip label="Judgement" changes={history.judgements} span={span} wordsOf={judgementStateWords} />
      {history.signals.map(({ source, changes }) => (
        <Strip key={source} label={sourceWords(source)} changes={changes} span={span} wordsOf={signalWords} />
      ))}
      <Text size="xs" c="dimmed">
        The last {minutes} minutes, now on the right. What is empty was not watched.
      </Text>
    </>
  );
}

interface StripProps {
  readonly label: string;
  readonly changes: readonly StateChange[];
  readonly span: { readonly fromMs: number; readonly toMs: number };
  readonly wordsOf: (state: string) => Words;
}

function Strip({ label, changes, span, wordsOf }: StripProps): ReactElement {
  const stretches = stretchesOf(changes, span);
  const latest = wordsOf(changes.at(-1)?.state ?? '');
  const story = stretches.map(({ state, at }) => `${wordsOf(state).words} from ${timeWords(at)}`);
  return (
    <div className={classes.row}>
      <Text size="sm">{label}</Text>
      <svg
        className={classes.strip}
        viewBox="0 0 1000 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label} over time: ${story.join(', ') || 'nothing known'}`}
      >
        {stretches.map(({ from, to, state, at }) => (
          <rect
            key={at}
            x={1000 * from}
            y={0}
            width={1000 * (to - from)}
            height={10}
            className={classes[wordsOf(state).tone]}
          >
            <title>{`${wordsOf(state).words} from ${timeWords(at)}`}</title>
          </rect>
        ))}
      </svg>
      <Text size="sm">{latest.words}</Text>
    </div>
  );
}

import type { ReactElement } from 'react';

import { timeWords } from '../../../parts/time-words.ts';
import type { TimelineStep } from './incident-timeline.ts';
import classes from './incident-timeline.module.css';

/** The steps of an incident in their order, each with what it rests on. */
export function Timeline({ steps }: { readonly steps: readonly TimelineStep[] }): ReactElement {
  return (
    <ol className={classes.timeline} aria-label="What happened">
      {steps.map(({ key, at, tone, words, evidence }) => (
        <li key={key} className={classes.step} data-tone={tone}>
          <time className={classes.time} dateTime={at} title={at}>
            {timeWords(at)}
          </time>
          <span className={classes.mark} aria-hidden="true" />
          <div>
            {words}
            {evidence.map((line) => (
              <div key={line} className={classes.evidence}>
                {line}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

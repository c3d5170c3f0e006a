import { Code, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { Note } from '../../../parts/note.tsx';
import { Section } from '../../../parts/section.tsx';
import type { TraceAnswer, TraceStep } from './read-trace.ts';
import classes from './trace-result.module.css';
import { verdictWords } from './verdict-words.ts';

/** What became of a traced packet, and its way through the tables. */
export function TraceResult({ trace: { verdict, passes, text } }: { readonly trace: TraceAnswer }): ReactElement {
  const { tone, words } = verdictWords(verdict);
  return (
    <Section title="Its way">
      <Stack>
        <Note tone={tone} title={words} role="status">
          <Text size="sm">Nothing was sent: the switch said what it would do.</Text>
        </Note>
        {passes.map((pass, index) => (
          // Passes have no name but their place, and never change.
          <div key={index}>
            {pass.resumedBy === undefined ? undefined : (
              <Text size="sm" fw={600}>
                Came back: {pass.resumedBy}
              </Text>
            )}
            <Steps steps={pass.steps} />
          </div>
        ))}
        <details>
          <summary>All that the switch said</summary>
          <Code block tabIndex={0}>
            {text}
          </Code>
        </details>
      </Stack>
    </Section>
  );
}

function Steps({ steps }: { readonly steps: readonly TraceStep[] }): ReactElement {
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        <li key={index} data-kind={step.kind}>
          <span className={classes.words}>{step.words}</span>
          {step.steps.length === 0 ? undefined : <Steps steps={step.steps} />}
        </li>
      ))}
    </ol>
  );
}

import { List, Text } from '@mantine/core';
import type { ReactElement } from 'react';

import type { Verdict } from './use-dry-run.ts';
import { Note } from '../../../parts/note.tsx';

/** What the server says of what is being written, with what no field can show. */
export function VerdictNote({
  verdict,
  other,
}: {
  readonly verdict: Verdict;
  readonly other: readonly string[];
}): ReactElement {
  return (
    <div role="status">
      {other.length > 0 ? (
        <Note
          tone="bad"
          title={verdict.kind === 'refused' ? 'The server would refuse this' : 'This cannot be read yet'}
        >
          <List size="sm">
            {other.map((words) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
          </List>
        </Note>
      ) : (
        <Text size="sm" c="dimmed">
          {WORDS[verdict.kind]}
        </Text>
      )}
    </div>
  );
}

const WORDS: Readonly<Record<Verdict['kind'], string>> = {
  unasked: 'The server checks what you write as you go.',
  asking: 'The server is checking …',
  taken: 'The server would take this.',
  refused: 'The server would refuse this: see the fields.',
};

import { Box } from '@mantine/core';
import type { ReactElement } from 'react';

import type { StreamState } from '../live/open-stream.ts';
import { Note } from './note.tsx';
import { streamNoteWords, type StreamSubject } from './stream-note-words.ts';

/** Says that a stream has stopped and why; nothing while it is well. */
export function StreamNote({
  state,
  of,
}: {
  readonly state: StreamState;
  readonly of: StreamSubject;
}): ReactElement | undefined {
  const words = streamNoteWords(state, of);
  return words === undefined ? undefined : (
    <Box mb="sm">
      <Note tone="warning" title={words.title} role="status">
        {words.message}
      </Note>
    </Box>
  );
}

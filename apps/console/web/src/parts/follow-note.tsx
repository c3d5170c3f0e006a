import { Skeleton, Stack, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

import type { FollowState } from '../live/followed.ts';
import { Note } from './note.tsx';

export interface FollowNoteProps {
  readonly state: FollowState;
  /** Whether there is nothing to show although all is known. */
  readonly isEmpty: boolean;
  /** What is looked at, such as `virtual machines`. */
  readonly what: string;
  /** What to show when there is none: say how one comes about. */
  readonly empty: ReactNode;
  /** What somebody who may not see it can do. */
  readonly refused?: ReactNode;
}

/** Stands where objects would be, while there are none: loading, refused, out of reach or empty. */
export function FollowNote({ state, isEmpty, what, empty, refused }: FollowNoteProps): ReactElement | undefined {
  switch (state.kind) {
    case 'loading':
      return isEmpty ? <Loading what={what} /> : undefined;
    case 'ready':
      return isEmpty ? <div>{empty}</div> : undefined;
    case 'refused':
      return (
        <Note tone="warning" title={state.status === 404 ? `There are no ${what} here` : `You may not see ${what}`}>
          <Text size="sm">{state.message}</Text>
          {refused}
        </Note>
      );
    case 'broken':
      return (
        <Note tone="warning" title="What is shown may be old">
          {state.message}
        </Note>
      );
  }
}

function Loading({ what }: { readonly what: string }): ReactElement {
  return (
    <Stack gap="xs" role="status" aria-label={`Loading ${what}`}>
      <Skeleton height={28} />
      <Skeleton height={28} />
      <Skeleton height={28} />
    </Stack>
  );
}

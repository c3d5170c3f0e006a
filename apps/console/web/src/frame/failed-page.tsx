import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';

import { messageOf } from '../api/api-error.ts';
import { Page } from '../parts/page.tsx';
import { Note } from '../parts/note.tsx';

export function MissingPage(): ReactElement {
  return (
    <Page title="There is no such page">
      <Text>
        The address may be mistyped, or from another version. Go to the{' '}
        <Anchor renderRoot={(props) => <Link to="/fleet" {...props} />}>fleet</Anchor>, or search with the key “/”.
      </Text>
    </Page>
  );
}

/** Also what is seen when the console was updated and a part of the old page is no longer served. */
export function FailedPage({ error }: ErrorComponentProps): ReactElement {
  return (
    <Page title="This page has failed">
      <Stack align="start">
        <Note tone="bad" title="What went wrong">
          {messageOf(error)}
        </Note>
        <Text>If the console was updated a moment ago, loading it anew mends this.</Text>
        <Button onClick={() => location.reload()}>Load anew</Button>
      </Stack>
    </Page>
  );
}

import { Kbd, Stack, Title } from '@mantine/core';
import type { ReactElement } from 'react';

import { KeyValues } from '../parts/key-values.tsx';
import { Page } from '../parts/page.tsx';
import { SHORTCUTS, TABLE_KEYS } from './shortcuts.ts';

export function KeysPage(): ReactElement {
  return (
    <Page title="Keyboard shortcuts">
      <Stack>
        <Title order={2}>Everywhere</Title>
        <KeyValues
          entries={SHORTCUTS.map(({ keys, words }) => ({
            name: words,
            value: keys.map((key) => <Kbd key={key}>{key}</Kbd>),
          }))}
        />
        <Title order={2}>In tables</Title>
        <KeyValues entries={TABLE_KEYS.map(([keys, words]) => ({ name: words, value: <Kbd>{keys}</Kbd> }))} />
      </Stack>
    </Page>
  );
}

import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';

import { Icon, type IconName } from './icon.tsx';

const NEXT: Readonly<Record<MantineColorScheme, { readonly scheme: MantineColorScheme; readonly words: string }>> = {
  auto: { scheme: 'light', words: 'Colours: as the system has them. Change to light' },
  light: { scheme: 'dark', words: 'Colours: light. Change to dark' },
  dark: { scheme: 'auto', words: 'Colours: dark. Change to those of the system' },
};

const ICONS: Readonly<Record<MantineColorScheme, IconName>> = { auto: 'system', light: 'light', dark: 'dark' };

/** Goes from the system's colours to light to dark; the choice is kept in this browser. */
export function ColorSchemeSwitch(): ReactElement {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { scheme, words } = NEXT[colorScheme];
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={words}
      title={words}
      onClick={() => setColorScheme(scheme)}
    >
      <Icon name={ICONS[colorScheme]} />
    </ActionIcon>
  );
}

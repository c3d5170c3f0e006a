import { ActionIcon, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';

import { useSession } from '../api/use-session.ts';
import { useServices } from '../services.ts';
import { Icon } from './icon.tsx';
import { useAct } from './notices/use-act.ts';

export function UserMenu(): ReactElement | undefined {
  const session = useSession();
  const { api, session: keeper } = useServices();
  const { act } = useAct();
  if (session.kind !== 'signedIn') return undefined;
  const signOut = (): void => {
    void act({ done: 'Signed out', failed: 'You are still signed in' }, () => keeper.signOut(api));
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Signed in as ${session.user.name}`}>
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw="20rem">
        <Menu.Label>
          <Text size="sm" truncate title={session.user.name}>
            {session.user.name}
          </Text>
        </Menu.Label>
        <Menu.Item renderRoot={(props) => <Link to="/keys" {...props} />}>Keyboard shortcuts</Menu.Item>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

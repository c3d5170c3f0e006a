import { Button, Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect, type ReactElement } from 'react';

import { useSession } from '../api/use-session.ts';
import { useServices } from '../services.ts';
import { Frame } from './frame.tsx';
import { SignIn } from './sign-in.tsx';

/** The frame for who is signed in, and the way there for who is not. The address stays, so that the page is found again. */
export function SignedInFrame(): ReactElement {
  const session = useSession();
  const { api, session: keeper, connection } = useServices();
  const isSignedIn = session.kind === 'signedIn';
  useEffect(() => {
    if (!isSignedIn) return undefined;
    connection.start();
    return () => connection.close();
  }, [connection, isSignedIn]);
  switch (session.kind) {
    case 'looking':
      return (
        <Center mih="100vh">
          <Loader aria-label="Loading" />
        </Center>
      );
    case 'unknown':
      return (
        <Center mih="100vh" p="md">
          <Stack align="center">
            <Text role="alert">{session.message}</Text>
            <Button onClick={() => void keeper.look(api)}>Try again</Button>
          </Stack>
        </Center>
      );
    case 'signedOut':
      return <SignIn message={session.message} />;
    case 'signedIn':
      return <Frame />;
  }
}

import { Button, Code, List, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState, type ReactElement, type SubmitEvent } from 'react';

import { messageOf } from '../api/api-error.ts';
import { useServices } from '../services.ts';
import classes from './sign-in.module.css';
import { Note } from '../parts/note.tsx';

/** Takes a token, and says where one comes from. */
export function SignIn({ message }: { readonly message?: string | undefined }): ReactElement {
  useEffect(() => {
    document.title = 'Sign in · Smalt';
  }, []);
  return (
    <main className={classes.page}>
      <Paper className={classes.card} withBorder>
        <Stack>
          <Title order={1}>Sign in to Smalt</Title>
          {message === undefined ? undefined : <Text role="status">{message}</Text>}
          <TokenForm />
          <Text size="sm">Two ways in:</Text>
          <List size="sm" spacing="xs">
            <List.Item>
              A link that works once. <Code>smalt up</Code> prints one, and <Code>smalt open</Code> makes another; open
              it in this browser.
            </List.Item>
            <List.Item>
              A token of the API server, such as from{' '}
              <Code>kubectl create token smalt-console-admin -n smalt-system</Code>. You may do here what that account
              may do.
            </List.Item>
          </List>
        </Stack>
      </Paper>
    </main>
  );
}

function TokenForm(): ReactElement {
  const { api, session } = useServices();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (token.trim() === '') return setProblem('Enter a token');
    setIsBusy(true);
    setProblem(undefined);
    await session.signIn(api, token.trim()).catch((error: unknown) => setProblem(messageOf(error)));
    setIsBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <PasswordInput
          label="Token"
          autoComplete="off"
          data-autofocus
          value={token}
          error={problem === undefined ? undefined : ' '}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        {problem === undefined ? undefined : (
          <Note tone="bad" role="alert">
            {problem}
          </Note>
        )}
        <Button type="submit" loading={isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

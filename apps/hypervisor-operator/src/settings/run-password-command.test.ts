import { expect, it } from 'vitest';

import { isBadSetting } from '../operator-error.ts';
import { withPasswordOfCommand } from './run-password-command.ts';

const { signal } = new AbortController();

it('leaves surroundings without a command as they are', async () => {
  const environment = { OS_PASSWORD: 'known', OS_PW_CMD: '' };

  expect(await withPasswordOfCommand(environment, signal)).toBe(environment);
});

it('takes what the command prints, without its last newline and with its blanks', async () => {
  const command = `printf ' %s\\n\\n' "$SECRET"`;

  const environment = await withPasswordOfCommand({ OS_PW_CMD: command, SECRET: 'pass word', PATH: '/bin' }, signal);

  expect(environment['OS_PASSWORD']).toBe(' pass word\n');
});

it.each([
  { command: 'echo hunter2; exit 3', says: 'OS_PW_CMD: the command ended with 3' },
  { command: 'echo hunter2 >&2; kill -9 $$', says: 'OS_PW_CMD: the command ended with a signal' },
  { command: 'true', says: 'OS_PW_CMD: the command printed nothing' },
])('refuses what $command gives, and keeps what it printed to itself', async ({ command, says }) => {
  const failure: unknown = await withPasswordOfCommand({ OS_PW_CMD: command, PATH: '/bin' }, signal).catch(
    (error) => error,
  );

  expect(failure).toSatisfy(isBadSetting);
  expect(failure).toMatchObject({ message: expect.stringContaining(says) });
  expect(String(failure)).not.toContain('hunter2');
  expect(failure).not.toHaveProperty('cause');
});

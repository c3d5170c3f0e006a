import { expect, it } from 'vitest';

import { runProgram } from './run-program.ts';

const SLEEP = { name: 'sleep', debianPackage: 'coreutils' };

it('gives what a program printed about what it was told', async () => {
  const output = await runProgram({ name: 'cat', debianPackage: 'coreutils' }, [], { input: 'said' });

  expect(output.toString()).toBe('said');
});

it("fails with a program's last words", async () => {
  const run = runProgram(SLEEP, ['a-while']);

  await expect(run).rejects.toMatchObject({
    code: 'command-failed',
    message: expect.stringMatching(/^sleep a-while ended with 1: .*a-while/s),
  });
});

it.each(['before', 'while'])('is given up when the signal fires %s it runs', async (when) => {
  const reason = new Error('enough');
  const giveUp = new AbortController();
  if (when === 'before') giveUp.abort(reason);
  const run = runProgram(SLEEP, ['60'], { signal: giveUp.signal });

  giveUp.abort(reason);

  await expect(run).rejects.toMatchObject({ code: 'aborted', message: 'sleep was given up', cause: reason });
});

it('says that it cannot run a program in a directory that is not there', async () => {
  const run = runProgram(SLEEP, ['0'], { directory: '/nonexistent' });

  await expect(run).rejects.toMatchObject({ code: 'command-failed', message: expect.stringContaining('ENOENT') });
});

import { expect, it } from 'vitest';

import { startTogether } from './start-together.ts';

it('gives what was started, and leaves it to its owner', async () => {
  const stopped: string[] = [];
  await using owner = new AsyncDisposableStack();

  const [one, two] = await startTogether(owner, [part('one', stopped), part('two', stopped)]);
  const before = [...stopped];
  await owner.disposeAsync();

  expect([one.name, two.name, before, stopped]).toEqual(['one', 'two', [], ['two', 'one']]);
});

it('stops also those that were started after one had failed', async () => {
  const stopped: string[] = [];
  const late = Promise.withResolvers<void>();
  const start = async (): Promise<void> => {
    await using owner = new AsyncDisposableStack();
    const failing = Promise.reject(new Error('no')).finally(() => late.resolve());
    await startTogether(owner, [failing, late.promise.then(() => part('late', stopped))]);
  };

  await expect(start()).rejects.toThrow('no');
  expect(stopped).toEqual(['late']);
});

async function part(name: string, stopped: string[]): Promise<AsyncDisposable & { readonly name: string }> {
  return await Promise.resolve({
    name,
    [Symbol.asyncDispose]: async () => {
      stopped.push(name);
      await Promise.resolve();
    },
  });
}

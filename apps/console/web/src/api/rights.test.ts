import { expect, it } from 'vitest';

import { Rights, type Deed } from './rights.ts';

const START: Deed = {
  verb: 'update',
  group: 'subresources.kubevirt.io',
  resource: 'virtualmachines',
  subresource: 'start',
};

it('knows nothing until the server has answered, and then tells', async () => {
  const world = makeWorld(() => true);
  const told = Promise.withResolvers<void>();
  world.rights.subscribe(() => told.resolve());

  world.rights.ask([START]);
  const before = world.rights.may(START);
  await told.promise;

  expect([before, world.rights.may(START)]).toEqual([undefined, true]);
  expect(world.asked).toMatchObject([{ verb: 'update', resource: 'virtualmachines', subresource: 'start' }]);
});

it('asks the same question once', async () => {
  const world = makeWorld(() => false);

  world.rights.ask([START, { ...START }]);
  world.rights.ask([START]);
  await expect.poll(() => world.rights.may(START)).toBe(false);
  world.rights.ask([START]);

  expect(world.asked).toHaveLength(1);
});

it('asks again after some minutes, and keeps its answer until there is another', async () => {
  let isAllowed = true;
  const world = makeWorld(() => isAllowed);
  world.rights.ask([START]);
  await expect.poll(() => world.rights.may(START)).toBe(true);

  isAllowed = false;
  world.pass(6 * 60_000);
  world.rights.ask([START]);
  const meanwhile = world.rights.may(START);
  await expect.poll(() => world.rights.may(START)).toBe(false);

  expect(meanwhile).toBe(true);
});

it('takes a question without an answer for a no, and asks again soon', async () => {
  let isReachable = false;
  const world = makeWorld(() => {
    if (!isReachable) throw new Error('away');
    return true;
  });
  world.rights.ask([START]);
  await expect.poll(() => world.rights.may(START)).toBe(false);

  isReachable = true;
  world.pass(6_000);
  world.rights.ask([START]);

  await expect.poll(() => world.rights.may(START)).toBe(true);
});

it('does not take the answer to one user for the next', async () => {
  const world = makeWorld(() => true);
  let told = 0;
  world.rights.subscribe(() => (told += 1));

  world.rights.ask([START]);
  world.rights.forgetAll();
  world.rights.ask([START]);
  await expect.poll(() => told).toBe(1);

  expect(world.asked).toHaveLength(2);
  expect(world.rights.may(START)).toBe(true);
});

function makeWorld(answer: () => boolean): {
  readonly rights: Rights;
  readonly asked: unknown[];
  readonly pass: (milliseconds: number) => void;
} {
  const asked: unknown[] = [];
  let now = 1_000_000;
  const call = async (_method: string, _path: string, { body }: { readonly body?: unknown } = {}): Promise<unknown> => {
    const review = body as { readonly spec: { readonly resourceAttributes: unknown } };
    asked.push(review.spec.resourceAttributes);
    return { status: { allowed: answer() } };
  };
  return { rights: new Rights({ call }, () => now), asked, pass: (milliseconds) => (now += milliseconds) };
}

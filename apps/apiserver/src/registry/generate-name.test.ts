import { describe, expect, it } from 'vitest';

import { openRegistry, refusalOf } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { machines } from './fixtures/test-resources.ts';

const MACHINES = machines();

describe('a generated name', () => {
  const nameless = { ...machine(''), metadata: { generateName: 'm-' } };

  it('that is taken is generated anew', async () => {
    const numbers = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    await using world = await openRegistry({ randomInt: () => numbers.shift() ?? 2 });

    const first = await world.registry.create(MACHINES, 'default', nameless, writer());
    const second = await world.registry.create(MACHINES, 'default', nameless, writer());

    expect([first.name, second.name]).toEqual(['m-bbbbb', 'm-bbbbc']);
    expect(numbers).toEqual([]);
  });

  it('is given up after eight attempts', async () => {
    let calls = 0;
    await using world = await openRegistry({ randomInt: () => calls++ * 0 });
    await world.registry.create(MACHINES, 'default', nameless, writer());

    const refusal = await refusalOf(world.registry.create(MACHINES, 'default', nameless, writer()));

    expect(calls).toBe(5 + 8 * 5);
    expect(refusal).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message:
        'machines.bench.example.dev "m-bbbbb" already exists, the server was not able to generate a unique name for the object',
      details: { retryAfterSeconds: 1 },
    });
  });
});

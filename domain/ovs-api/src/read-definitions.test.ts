import { expect, it } from 'vitest';

import { ovsKinds } from '../kinds/ovs-kinds.ts';
import { readOvsDefinitions } from './read-definitions.ts';

it('gives the definitions of all kinds as they are declared', async () => {
  const definitions = await readOvsDefinitions();

  expect(definitions).toEqual(ovsKinds.map((kind) => kind.crd()));
});

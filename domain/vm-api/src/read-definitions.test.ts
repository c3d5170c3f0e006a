import { expect, it } from 'vitest';

import { vmKinds } from '../kinds/vm-kinds.ts';
import { readVmDefinitions } from './read-definitions.ts';

it('gives the definitions of all kinds as they are declared', async () => {
  const definitions = await readVmDefinitions();

  expect(definitions).toEqual(vmKinds.map((kind) => kind.crd()));
});

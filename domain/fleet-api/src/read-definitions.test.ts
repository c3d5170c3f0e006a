import { expect, it } from 'vitest';

import { fleetKinds } from '../kinds/fleet-kinds.ts';
import { readFleetDefinitions } from './read-definitions.ts';

it('gives the definitions of all kinds as they are declared', async () => {
  const definitions = await readFleetDefinitions();

  expect(definitions).toEqual(fleetKinds.map((kind) => kind.crd()));
});

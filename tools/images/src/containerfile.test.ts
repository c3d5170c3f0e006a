import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

import { imageRecipes } from './recipes.ts';

it('has an image for each of ours in the Containerfile, started in the same way, which names its commit', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../deploy/Containerfile'), 'utf8');
  const stages = text.split(/^FROM scratch AS /m).slice(1);

  const read = stages.map((stage) => ({
    name: /^\S+/.exec(stage)?.[0],
    files: /^COPY --from=files (\S+) \/$/m.exec(stage)?.[1],
    environment: /^ENV (.+)$/m.exec(stage)?.[1],
    user: /^USER (.+)$/m.exec(stage)?.[1],
    labels: /^ARG REVISION\nLABEL (.+)$/m.exec(stage)?.[1],
    entrypoint: JSON.parse(/^ENTRYPOINT (.+)$/m.exec(stage)?.[1] ?? 'null'),
  }));

  expect(read).toEqual(
    imageRecipes('12').map(({ name, title, user, entrypoint, environment = {} }) => ({
      name,
      files: `/images/${name}/`,
      environment: Object.entries({ PATH: '/usr/sbin:/usr/bin', ...environment })
        .map((pair) => pair.join('='))
        .join(' '),
      user,
      labels: [`title="${title}"`, 'licenses=Apache-2.0', 'revision=$REVISION']
        .map((label) => `org.opencontainers.image.${label}`)
        .join(' '),
      entrypoint: [...entrypoint],
    })),
  );
});

import { expect, it } from 'vitest';

import { planBundle } from './publish-authority.ts';

it.each([
  {
    what: 'webhooks that trust another or nobody',
    object: {
      webhooks: [
        { name: 'a', clientConfig: {} },
        { name: 'b', clientConfig: { caBundle: 'new' } },
        { name: 'c', clientConfig: { caBundle: 'old' } },
      ],
    },
    paths: [
      '/webhooks/0/name',
      '/webhooks/0/clientConfig/caBundle',
      '/webhooks/2/name',
      '/webhooks/2/clientConfig/caBundle',
    ],
  },
  { what: 'an APIService', object: { spec: { service: {}, caBundle: 'old' } }, paths: ['/spec/caBundle'] },
  { what: 'an APIService that does already', object: { spec: { service: {}, caBundle: 'new' } }, paths: [] },
  { what: 'an APIService of the API server itself', object: { spec: {} }, paths: [] },
  { what: 'nothing of that', object: 'text', paths: [] },
])('changes $what where it has to', ({ object, paths }) => {
  expect(planBundle(object, 'new').map(({ path }) => path)).toEqual(paths);
});

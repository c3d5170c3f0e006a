import { expect, it } from 'vitest';

import { checkCgroupPath } from './check-cgroup-path.ts';

it.each(['', '/', '//', '/.', '/..', '/a/..', '/a/../..', '/./.', '/a//b', 'a', '/a b', '/a/', '/a\n'])(
  'refuses the path %j',
  (path) => {
    expect(() => checkCgroupPath(path)).toThrow('is no path of a cgroup');
  },
);

it.each(['/smalt', '/system.slice/a@1:x/guest', '/...'])('takes the path %j', (path) => {
  expect(() => checkCgroupPath(path)).not.toThrow();
});

import type { Port } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { openPortsOf } from './open-ports.ts';

it.each<[string, readonly Port[] | undefined, readonly string[]]>([
  ['none', undefined, []],
  ['TCP unless told otherwise', [{ port: 80 }, { port: 22, protocol: '' }], ['tcp/22', 'tcp/80']],
  [
    'each once',
    [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' },
    ],
    ['tcp/53', 'udp/53'],
  ],
  [
    'nothing that is no port',
    [{ port: 0 }, { port: 65_536 }, { port: 1.5 }, { port: -1 }, { port: 1, protocol: 'x } drop' }],
    [],
  ],
])('opens %s', (_, ports, words) => {
  expect(openPortsOf(ports === undefined ? {} : { ports })).toEqual(words);
});

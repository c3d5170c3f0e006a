import { PassThrough } from 'node:stream';

import { expect, it } from 'vitest';

import type { UpgradeCall } from '../http/upgrade-handler.ts';
import { tunnelUpgrade } from './tunnel-upgrade.ts';

it.each(['admin\r\nX-Remote-Group: system:masters', 'admin\nx: y', 'a\u0000b'])(
  'refuses to pass on a header that would become more than one: %j',
  async (name) => {
    const target = {
      host: '127.0.0.1',
      port: 1,
      serverName: 'localhost',
      ca: undefined,
      isInsecure: false,
      cert: '',
      key: '',
    };

    const tunnel = tunnelUpgrade(upgradeCall(), { path: '/', headers: { 'X-Remote-User': name }, target });

    await expect(tunnel).rejects.toThrow('the header X-Remote-User cannot be passed on');
  },
);

function upgradeCall(): UpgradeCall {
  const signal = AbortSignal.timeout(10_000);
  return {
    request: { method: 'GET' },
    socket: new PassThrough(),
    head: Buffer.alloc(0),
    signal,
  } as unknown as UpgradeCall;
}

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { InterfaceRegister } from './interface-register.ts';
import type { InterfaceClaim } from './interface-claim.ts';

let directory: string;
const ignored: string[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smalt-register-'));
  ignored.length = 0;
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('the register of interfaces', () => {
  it('knows after a restart who is in use, and who has given back', async () => {
    const first = await open();
    await first.claim(claim('web', '02:00:00:00:00:01'));
    await first.claim(claim('db', '02:00:00:00:00:02'));
    await first.release(first.inUse().filter(({ instance }) => instance === 'db'));

    const second = await open();

    expect(second.inUse()).toMatchObject([{ instance: 'web', mac: '02:00:00:00:00:01' }]);
    expect(await second.claim(claim('new', '02:00:00:00:00:01'))).toMatchObject({ kind: 'refused', at: 'mac' });
    expect(await second.claim(claim('new', '02:00:00:00:00:02'))).toMatchObject({
      kind: 'given',
      displaced: [{ instance: 'db' }],
    });
  });

  it('leaves out and removes what a power loss has damaged', async () => {
    const first = await open();
    await first.claim(claim('web', '02:00:00:00:00:01'));
    const [file = ''] = await readdir(directory);
    const text = await readFile(join(directory, file), 'utf8');
    await writeFile(join(directory, `${'0'.repeat(32)}.json`), text);
    await writeFile(join(directory, 'cut.json'), text.slice(0, 20));
    await writeFile(join(directory, 'half.json.new'), '');

    const second = await open();

    expect(second.inUse()).toHaveLength(1);
    expect(await readdir(directory)).toEqual([file]);
    expect(ignored).toHaveLength(3);
  });
});

async function open(): Promise<InterfaceRegister> {
  return await InterfaceRegister.open({ directory, now: () => 7, ignore: (_error, why) => ignored.push(why) });
}

function claim(instance: string, mac: string): InterfaceClaim {
  const identity = { namespace: 'n', instance, network: 'net' };
  return { identity, uid: instance, plugin: 'bridge', mac };
}

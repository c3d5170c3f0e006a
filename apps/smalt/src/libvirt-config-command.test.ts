import { EventEmitter } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { libvirtConfigCommand } from './libvirt-config-command.ts';

const COMMON = '# The same on every node.\nlisten_tls = 1\n';

it.each(['10.0.0.7', 'fd00::7', 'node-7.migration.example'])('has a libvirtd listen at %s alone', async (address) => {
  expect(await written(COMMON, address)).toBe(`${COMMON}listen_addr = "${address}"\n`);
});

it('begins a line of its own, however the file ends', async () => {
  expect(await written('listen_tls = 1', '10.0.0.7')).toBe('listen_tls = 1\nlisten_addr = "10.0.0.7"\n');
});

it.each(['', '10.0.0.7"', 'a\nauth_tls = "none"', '$(HOST_IP)'])(
  'takes no address that is none: %j',
  async (address) => {
    await expect(written(COMMON, address)).rejects.toThrow('--address');
  },
);

it('does not guess which of two addresses is meant', async () => {
  await expect(written(`${COMMON}  listen_addr="0.0.0.0"\n`, '10.0.0.7')).rejects.toThrow('says listen_addr itself');
  expect(await written(`${COMMON}# listen_addr = "0.0.0.0"\n`, '10.0.0.7')).toMatch(
    /^listen_addr = "10[.]0[.]0[.]7"$/m,
  );
});

/** What is in the file of a node. */
async function written(text: string, address: string): Promise<string> {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-libvirt-'));
  const [from, to] = [join(directory.path, 'from.conf'), join(directory.path, 'to.conf')];
  await writeFile(from, text);
  const code = await libvirtConfigCommand({
    arguments: [`--from=${from}`, `--to=${to}`, `--address=${address}`],
    environment: {},
    process: Object.assign(new EventEmitter(), { exit: () => undefined }),
    output: { write: () => undefined },
    errors: { write: () => undefined },
  });
  expect(code).toBe(0);
  return await readFile(to, 'utf8');
}

import { readFile, writeFile } from 'node:fs/promises';

import { loadConfig, type ConfigSchema } from '@smalt/service-runtime';

import type { CommandContext } from './command-context.ts';
import { SmaltError } from './smalt-error.ts';

const LIBVIRT_CONFIG = {
  type: 'object',
  description: 'Writes a libvirtd.conf once more, with the address of this node to listen on, and ends.',
  properties: {
    from: { type: 'string', minLength: 1, description: 'the libvirtd.conf that is the same on every node' },
    to: { type: 'string', minLength: 1, description: 'where that of this node is written' },
    address: {
      type: 'string',
      // It stands between quotes there, which have no way to be escaped.
      pattern: '^[A-Za-z0-9.:_-]+$',
      description: 'the address or the name that libvirtd listens on, for TCP and for TLS',
    },
  },
  required: ['from', 'to', 'address'],
} as const satisfies ConfigSchema;

/** Says where libvirtd listens, which it takes from its file alone. Returns the exit code; a wrong configuration is thrown. */
export async function libvirtConfigCommand({ arguments: words, environment, output }: CommandContext): Promise<number> {
  const loaded = await loadConfig(LIBVIRT_CONFIG, {
    arguments: words,
    environment,
    programName: 'smalt libvirt-config',
    environmentPrefix: 'SMALT_LIBVIRT_CONFIG_',
  });
  if (loaded.kind === 'help') {
    output.write(loaded.text);
    return 0;
  }
  const { from, to, address } = loaded.config;
  const text = await readFile(from, 'utf8');
  if (/^[ \t]*listen_addr\b/m.test(text)) {
    throw new SmaltError(
      'wrong-use',
      `${from} says listen_addr itself: leave it out there, or give --from to libvirtd`,
    );
  }
  await writeFile(to, `${text.replace(/\n?$/, '\n')}listen_addr = "${address}"\n`);
  return 0;
}

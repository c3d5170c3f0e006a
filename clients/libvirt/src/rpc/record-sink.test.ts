import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { expect, it } from 'vitest';

import { connect } from '../connect.ts';

// Without keepalive nothing else ever arrives at the daemon, so a message that it overlooks is overlooked for good.
it('lets a daemon answer calls that are made at once over TLS', async () => {
  await using daemon = await startTestDaemon({ tls: true });
  await using connection = await connect(daemon.tlsUri ?? '', { keepalive: false, callTimeoutMs: 10_000 });

  const calls = Array.from({ length: 300 }, () => connection.connectGetType());

  expect(new Set(await Promise.all(calls))).toEqual(new Set(['TEST']));
});

it('sends messages of many records over TLS, and what follows them', async () => {
  await using daemon = await startTestDaemon({ tls: true });
  await using connection = await connect(daemon.tlsUri ?? '', { keepalive: false, callTimeoutMs: 10_000 });
  const description = (await readFile(join(import.meta.dirname, 'channel.ts'), 'latin1')).replaceAll(/[<&>]/g, ' ');
  const xml = (name: string): string =>
    `<domain type='test'><name>${name}</name><description>${description.repeat(8)}</description>
     <memory>8192</memory><os><type>hvm</type></os></domain>`;

  const domains = await Promise.all(['a', 'b', 'c'].map((name) => connection.domainDefineXml({ xml: xml(name) })));

  expect(domains.map((domain) => domain.name)).toEqual(['a', 'b', 'c']);
});

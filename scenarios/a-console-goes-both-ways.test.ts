import { ensureGuestImage, guestDomainXml, startHost, type BedHost } from '@smalt/bed-libvirt';
import { connect, DomainConsoleFlags, isLibvirtError, type Connection, type Domain } from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConsole } from './console-reader.ts';
import { startReadmeExample } from './readme-example.ts';

// One guest, emulated and slow to boot, lives through all of it in this order.
describe("a guest's console", { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let host: BedHost;
  let connection: Connection;
  let domain: Domain;

  beforeAll(async () => {
    host = owned.use(await startHost());
    connection = owned.use(await connect(host.uri));
    const image = await ensureGuestImage();
    domain = await connection.domainCreateXml({ xml: guestDomainXml({ name: 'web', image, words: ['echo'] }) });
  });

  afterAll(() => owned.disposeAsync());

  it('shows what the guest prints, and brings it what is typed', async () => {
    await using stream = await connection.domainOpenConsole({ domain });
    const console = readConsole(stream);

    await console.line('echo-ready');
    await stream.write(Buffer.from('Grüße\n'));

    expect(await console.line('echo')).toBe('echo: Grüße');
  });

  it('belongs to one at a time, and to the one who insists', async () => {
    await using first = await connection.domainOpenConsole({ domain });
    const { safe, force } = DomainConsoleFlags;

    const second = connection.domainOpenConsole({ domain, flags: safe });
    await expect(second).rejects.toMatchObject({ code: 'operation-failed' });
    await using third = await connection.domainOpenConsole({ domain, flags: force });

    await expect(readConsole(first).toEnd()).rejects.toSatisfy(isLibvirtError);
    await third.write(Buffer.from('mine\n'));
    expect(await readConsole(third).line('echo')).toBe('echo: mine');
  });

  it('ends when the guest does, in the example of the README too', async () => {
    await using example = await startReadmeExample({
      readme: 'clients/libvirt/README.md',
      containing: 'domainOpenConsole',
      replace: { 'qemu+tcp://hv1.example/system': host.uri },
    });
    await example.printed('echo: ');

    await connection.domainDestroy({ domain });

    expect(await example.output).toContain('echo: ');
  });
});

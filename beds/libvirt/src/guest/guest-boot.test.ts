import { readdir, writeFile } from 'node:fs/promises';

import { ensureGuestImage, type GuestImage } from '@smalt/guest-image';
import { element } from '@smalt/xml';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { BedHost } from '../bed-host.ts';
import { startHost } from '../start-host.ts';
import { ConsoleLog } from './console-log.ts';
import { guestDomainXml } from './guest-domain-xml.ts';
import type { GuestDomainOptions } from './guest-domain-xml.ts';

const BOOT_MS = 120_000;
let host: BedHost;
let image: GuestImage;

beforeAll(async () => {
  image = await ensureGuestImage();
  host = await startHost();
});

afterAll(() => host?.[Symbol.asyncDispose]());

it('a guest boots, ticks, answers its agent and hears the power button', { timeout: BOOT_MS }, async () => {
  const log = await start('ticker', { words: ['tick', 'dirty=4'] });

  await log.waitFor(/^dirty-started/m);
  await log.waitFor(/^guest-ready/m);
  await log.waitFor(/^tick 2/m);
  const answer = await host.exec(['virsh', 'qemu-agent-command', 'ticker', '{"execute":"guest-ping"}']);
  await host.exec(['virsh', 'shutdown', '--mode', 'acpi', 'ticker']);
  await log.waitFor(/^power-button/m);

  expect(answer).toContain('{"return":{}}');
});

it('a guest that neglects its watchdog is paused by it', { timeout: BOOT_MS }, async () => {
  const watchdog = element('watchdog', { model: 'i6300esb', action: 'pause' });
  const events = host.exec(['virsh', 'event', '--event', 'watchdog', '--timeout', '100']);

  const log = await start('neglectful', { words: ['watchdog'], devices: [watchdog] });
  await log.waitFor(/^watchdog-armed/m);

  expect(await events).toContain('pause');
  expect(await host.exec(['virsh', 'domstate', '--reason', 'neglectful'])).toContain('paused (watchdog)');
});

it('a guest talks both ways on a console that is a pty', { timeout: BOOT_MS }, async () => {
  await start('talker', { words: ['echo'], console: 'pty' });
  const terminal = (await host.exec(['virsh', 'ttyconsole', 'talker'])).trim();

  const heard = await host.exec(['bash', '-c', TALK, 'talk', terminal], { signal: AbortSignal.timeout(BOOT_MS / 2) });

  expect(heard).toContain('echo: hello');
});

it('an image that is there is used as it is, by many at once', async () => {
  const cache = image.kernelPath.replace(/\/[^/]+\/kernel$/, '');
  const before = await readdir(cache);

  const images = await Promise.all([ensureGuestImage(), ensureGuestImage(), ensureGuestImage()]);

  expect(images).toEqual([image, image, image]);
  expect(await readdir(cache)).toEqual(before);
});

/** Says hello on a terminal once the guest listens, and prints all it hears until the answer. */
const TALK = `
exec 3<>"$1"
while read -r line <&3; do
  echo "$line"
  case $line in echo-ready*) echo hello >&3 ;; 'echo: '*) exit 0 ;; esac
done`;

async function start(name: string, options: Partial<GuestDomainOptions>): Promise<ConsoleLog> {
  const { storagePath } = host.network;
  const log = new ConsoleLog(`${storagePath}/${name}.log`);
  const xml = guestDomainXml({ name, image, console: { file: log.path }, ...options });
  await writeFile(`${storagePath}/${name}.xml`, xml);
  await host.exec(['virsh', 'create', `${storagePath}/${name}.xml`]);
  return log;
}

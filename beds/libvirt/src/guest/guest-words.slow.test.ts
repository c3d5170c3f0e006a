import { readFile, writeFile } from 'node:fs/promises';

import { ensureGuestImage } from '@smalt/guest-image';
import { connect, DomainEventType } from '@smalt/libvirt';
import type { Connection, DomainEvent, EventOverflow } from '@smalt/libvirt';
import { element } from '@smalt/xml';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { BedHost } from '../bed-host.ts';
import { startHost } from '../start-host.ts';
import { ConsoleLog } from './console-log.ts';
import { guestDomainXml } from './guest-domain-xml.ts';
import type { GuestDomainOptions } from './guest-domain-xml.ts';

const BOOT_MS = 120_000;
const MIB = 1 << 20;
let bed: AsyncDisposableStack;
let host: BedHost;
let connection: Connection;

beforeAll(async () => {
  await using cleanUp = new AsyncDisposableStack();
  host = cleanUp.use(await startHost());
  connection = cleanUp.use(await connect(host.uri));
  bed = cleanUp.move();
});

afterAll(() => bed?.disposeAsync());

it('a guest writes its disk, sets its clock and takes memory into use', { timeout: BOOT_MS }, async () => {
  const disk = `${host.network.storagePath}/disk`;
  const dimm = `${host.network.storagePath}/dimm.xml`;
  await writeFile(disk, Buffer.alloc(4 * MIB, 0xff));
  await writeFile(dimm, DIMM);
  await using events = await connection.domainEvents({ kinds: ['rtc-change'] });
  const log = await start('busy', { words: ['wblk', 'rtc', 'online'], disks: [{ path: disk }], maxMemoryMiB: 512 });

  await log.waitFor(/^rtc-set/m);
  await log.waitFor(/^wrote 16$/m);
  await log.waitFor(/^guest-ready/m);
  await host.exec(['virsh', 'attach-device', 'busy', dimm]);
  await log.waitFor(/^onlined .*\/memory\d+\/state/m);

  expect((await readFile(disk)).subarray(0, 2 * MIB)).toEqual(Buffer.alloc(2 * MIB));
  expect(await readUntil(events, () => true)).toMatchObject([{ kind: 'rtc-change', domain: { name: 'busy' } }]);

  await host.exec(['virsh', 'destroy', 'busy']);
});

it('a guest that panics is reported and comes to its end', { timeout: BOOT_MS }, async () => {
  await using events = await connection.domainEvents({ kinds: ['lifecycle'] });
  const devices = [element('panic', { model: 'isa' })];

  const log = await start('frantic', { words: ['panic'], devices, onCrash: 'destroy' });
  const seen = await readUntil(events, (event) => 'event' in event && event.event === DomainEventType.stopped);

  expect(await log.text()).toContain('panicking');
  // Newer daemons tell of the shutdown in between.
  const told = seen.filter((event) => 'event' in event && event.event !== DomainEventType.shutdown);
  expect(told.slice(-2)).toMatchObject([
    { domain: { name: 'frantic' }, event: DomainEventType.crashed },
    { domain: { name: 'frantic' }, event: DomainEventType.stopped },
  ]);
});

it('a guest offers a shell on a pty, and reboots when its time has come', { timeout: BOOT_MS }, async () => {
  await using events = await connection.domainEvents({ kinds: ['reboot'] });
  await start('brief', { words: ['shell', 'reboot=4'], console: 'pty' });
  const terminal = (await host.exec(['virsh', 'ttyconsole', 'brief'])).trim();

  const heard = await host.exec(['bash', '-c', ASK, 'ask', terminal], { signal: AbortSignal.timeout(BOOT_MS / 2) });

  expect(heard).toMatch(/^answer 42/m);
  expect(await readUntil(events, () => true)).toMatchObject([{ kind: 'reboot', domain: { name: 'brief' } }]);
});

const DIMM = `<memory model='dimm'><target><size unit='MiB'>128</size><node>0</node></target></memory>`;

/** Asks the shell once it is there, and again until it answers: the guest may reboot in between. */
const ASK = String.raw`
exec 3<>"$1"
stty raw -echo <&3
while IFS= read -r -t 60 line <&3; do
  echo "$line"
  case $line in guest-ready*) echo 'echo answer $((6 * 7))' >&3 ;; 'answer 42'*) exit 0 ;; esac
done`;

/** Reads events up to the first that is wanted, and gives them all. */
async function readUntil(
  events: AsyncIterator<DomainEvent | EventOverflow, undefined>,
  isLast: (event: DomainEvent | EventOverflow) => boolean,
): Promise<readonly (DomainEvent | EventOverflow)[]> {
  const seen: (DomainEvent | EventOverflow)[] = [];
  while (true) {
    const { value } = await events.next();
    if (value === undefined) return seen;
    seen.push(value);
    if (isLast(value)) return seen;
  }
}

async function start(name: string, options: Partial<GuestDomainOptions>): Promise<ConsoleLog> {
  const { storagePath } = host.network;
  const log = new ConsoleLog(`${storagePath}/${name}.log`);
  const image = await ensureGuestImage();
  await connection.domainCreateXml({ xml: guestDomainXml({ name, image, console: { file: log.path }, ...options }) });
  return log;
}

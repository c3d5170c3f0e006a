import { open, readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import { cpioArchive, ensureGuestImage } from '@smalt/bed-libvirt';
import type { OpenStackCloud } from '@smalt/bed-openstack';

const BLOCK = 512;
const MOST_BYTES = 4 << 20;
const KERNEL_WORDS = 'console=ttyS0 quiet panic=-1 no_timer_check mitigations=off nokaslr rdinit=/count';

/**
 * Runs before the guest's init, and beside it from then on: it writes one block after the other to the guest's disk, each with
 * the id of this boot and a number. The first block says where to go on, so that what an earlier boot wrote stays.
 */
const COUNT = String.raw`#!/bin/busybox sh
count() {
  while [ ! -b /dev/vda ]; do /bin/busybox sleep 1; done
  boot=$(cut -c1-8 /proc/sys/kernel/random/boot_id)
  at=$(dd if=/dev/vda bs=512 count=1 2>/dev/null | tr -d '\000\n ')
  at=$((at + 0)) number=0
  while :; do
    at=$((at + 1)) number=$((number + 1))
    printf '%-511s\n' "$boot $number" | dd of=/dev/vda bs=512 seek=$at conv=notrunc,fsync 2>/dev/null
    printf '%-511s\n' "$at" | dd of=/dev/vda bs=512 conv=notrunc,fsync 2>/dev/null
    sleep 0.3
  done
}
# Nothing is mounted yet, and what runs in the background reads from there.
/bin/busybox mknod /dev/null c 1 3
count &
exec /init
`;

/** Teaches a cloud an image whose guests count on their disk, and gives its id. */
export async function addCountingImage(cloud: OpenStackCloud, directory: string): Promise<string> {
  const image = await ensureGuestImage();
  const initramfs = `${directory}/initramfs`;
  const extra = cpioArchive([{ kind: 'file', path: 'count', content: Buffer.from(COUNT), isExecutable: true }]);
  // The kernel reads one archive after the other.
  await writeFile(initramfs, Buffer.concat([await readFile(image.initramfsPath), gzipSync(extra)]));
  const token = await tokenOf(cloud);
  const upload = async (name: string, content: Uint8Array, properties: object = {}): Promise<string> => {
    const made = await ask(`${cloud.endpoints.image}/v2/images`, token, {
      method: 'POST',
      body: JSON.stringify({ name, disk_format: 'raw', container_format: 'bare', visibility: 'public', ...properties }),
      headers: { 'content-type': 'application/json' },
    });
    const { id } = Object(await made.json());
    const headers = { 'content-type': 'application/octet-stream' };
    const body = Uint8Array.from(content);
    await ask(`${cloud.endpoints.image}/v2/images/${id}/file`, token, { method: 'PUT', body, headers });
    return String(id);
  };
  const kernel_id = await upload('counting-kernel', await readFile(image.kernelPath));
  const ramdisk_id = await upload('counting-initramfs', await readFile(initramfs));
  return await upload('counting', new Uint8Array(1 << 20), { kernel_id, ramdisk_id, os_command_line: KERNEL_WORDS });
}

/** One run of a guest, as its disk tells it: from which block to which it alone has written. */
export interface CountedBoot {
  readonly boot: string;
  readonly records: number;
}

/**
 * What the guests of one disk have written, boot after boot. Throws when two wrote at the same time: when a boot comes
 * back after another one began, or a number is missing or there twice.
 */
export async function readCounts(disk: string): Promise<readonly CountedBoot[]> {
  const content = await readBeginning(disk);
  const boots: { boot: string; records: number }[] = [];
  for (let block = 1; (block + 1) * BLOCK <= content.length; block++) {
    const [boot = '', number = ''] = textOf(content, block).split(' ');
    if (boot === '') break;
    const last = boots.at(-1);
    const isNew = last?.boot !== boot;
    const expected = isNew ? 1 : last.records + 1;
    const isKnown = isNew && boots.some((each) => each.boot === boot);
    if (isKnown || Number(number) !== expected) {
      throw new Error(`${disk}: a second writer: block ${block} has ${boot} ${number} after ${JSON.stringify(boots)}`);
    }
    if (isNew) boots.push({ boot, records: 1 });
    else last.records = expected;
  }
  return boots;
}

async function readBeginning(disk: string): Promise<Buffer> {
  await using file = await open(disk);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

function textOf(content: Buffer, block: number): string {
  return content
    .subarray(block * BLOCK, (block + 1) * BLOCK)
    .toString('latin1')
    .replaceAll('\0', '')
    .trim();
}

async function tokenOf(cloud: OpenStackCloud): Promise<string> {
  const { username, password, projectName, userDomainName, projectDomainName } = cloud.adminCredentials;
  const user = { name: username, password, domain: { name: userDomainName } };
  const scope = { project: { name: projectName, domain: { name: projectDomainName } } };
  const auth = { identity: { methods: ['password'], password: { user } }, scope };
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(`${cloud.authUrl}/auth/tokens`, '', {
    method: 'POST',
    body: JSON.stringify({ auth }),
    headers,
  });
  return answer.headers.get('x-subject-token') ?? '';
}

async function ask(
  url: string,
  token: string,
  request: RequestInit & { readonly headers: Readonly<Record<string, string>> },
): Promise<Response> {
  const headers = new Headers(request.headers);
  if (token !== '') headers.set('x-auth-token', token);
  const answer = await fetch(url, { ...request, headers });
  if (answer.ok) return answer;
  throw new Error(`${request.method} ${url}: ${answer.status}: ${await answer.text()}`);
}

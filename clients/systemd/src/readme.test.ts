import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { startSystemd, type SystemdMachine } from '@smalt/bed-systemd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SystemdErrorCode } from './systemd-error.ts';

const run = promisify(execFile);
const folder = new URL('../', import.meta.url);
const readme = await readFile(new URL('README.md', folder), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match, index) => ({
  number: index + 1,
  code: match[1] ?? '',
}));

describe('the examples of the README', () => {
  let machine: SystemdMachine;

  beforeAll(async () => {
    machine = await startSystemd({
      units: {
        'libvirtd.service': '[Service]\nExecStart=/bin/sleep 10000\n',
        'systemd-sysupdate@.service': '[Service]\nType=oneshot\nExecStart=/bin/true\n',
      },
    });
    await machine.systemctl(['start', 'libvirtd.service']);
  });

  afterAll(async () => {
    await machine[Symbol.asyncDispose]();
  });

  it.each([
    { number: 1, prints: /activeState: 'active'.*not-found.*hostname: 'machine'/s },
    { number: 2, prints: /^resubscribed .*activeState: 'active'/s },
    { number: 3, prints: /^done\n$/ },
    { number: 4, prints: /^held\n$/ },
  ])('example $number runs against a real systemd', async ({ number, prints }) => {
    const options = JSON.stringify({ busPath: machine.busPath, inhibitCommand: machine.inhibitCommand });
    const code = examples[number - 1]?.code.replace('openSystemd()', `openSystemd(${options})`) ?? '';

    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', code], {
      cwd: folder,
      timeout: 20_000,
    });

    expect(stdout).toMatch(prints);
  });

  it('leaves out no example', () => {
    expect(examples).toHaveLength(4);
  });
});

it('explains every error code in the README', () => {
  const codes: Readonly<Record<SystemdErrorCode, true>> = {
    'no-bus': true,
    'bus-lost': true,
    'access-denied': true,
    'no-such-unit': true,
    'no-service': true,
    unsupported: true,
    timeout: true,
    aborted: true,
    closed: true,
    refused: true,
    'queue-full': true,
    'bad-answer': true,
    'invalid-argument': true,
    'missing-program': true,
  };

  const explained = [...readme.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]);

  expect(new Set(explained)).toEqual(new Set(Object.keys(codes)));
});

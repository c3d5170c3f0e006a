import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { makeAuthority, PASSWORD, startRedfish } from '@smalt/bed-redfish';
import { describe, expect, it } from 'vitest';

import type { BmcErrorCode } from './bmc-error.ts';
import { hasIpmiSimulator, IPMI_PASSWORD, startIpmiSimulator } from './fixtures/start-ipmi-simulator.ts';

const run = promisify(execFile);
const folder = new URL('../', import.meta.url);
const readme = await readFile(new URL('README.md', folder), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');

/** Every code, or the compiler complains. */
const codes: Readonly<Record<BmcErrorCode, true>> = {
  aborted: true,
  'bad-answer': true,
  'bad-setting': true,
  certificate: true,
  'no-such-system': true,
  refused: true,
  timeout: true,
  'tool-missing': true,
  unauthorized: true,
  unreachable: true,
};

it('lists every error code', () => {
  const listed = [...readme.matchAll(/^\| `([a-z-]+)` \| [a-z]/gm)].map((match) => match[1]);

  expect(listed).toEqual(Object.keys(codes));
});

describe('the examples of the README', () => {
  it('switch a host off by Redfish', async () => {
    await using authority = await makeAuthority();
    await using bmc = await startRedfish({ authority });
    const environment = { BMC_URL: bmc.url, BMC_PASSWORD: PASSWORD, BMC_AUTHORITY: authority.authorityFile };

    await expect(output(examples[0], environment)).resolves.toBe('off\n');

    expect(bmc.systems[0]?.power).toBe('Off');
    expect(bmc.sessions.size).toBe(0);
  });

  it.skipIf(!hasIpmiSimulator())('switch a host off by IPMI', async () => {
    await using simulator = await startIpmiSimulator();
    const environment = { BMC_PORT: String(simulator.port), BMC_PASSWORD: IPMI_PASSWORD };

    const printed = await output(examples[1], environment);

    expect(printed).toBe(`{ state: 'off', method: 'ipmi 127.0.0.1:${simulator.port}' }\n`);
  });

  it('switch a host off by a command', async () => {
    await expect(output(examples[2], {})).resolves.toBe("{ state: 'off', method: 'command /bin/sh' }\n");
  });
});

async function output(code: string | undefined, env: Readonly<Record<string, string>>): Promise<string> {
  const words = ['--input-type=module-typescript', '--eval', code ?? ''];
  const { stdout } = await run(process.execPath, words, { cwd: folder, env, timeout: 25_000 });
  return stdout;
}

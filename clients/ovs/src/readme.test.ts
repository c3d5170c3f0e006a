import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { type OvsNode, startOvsNode } from '@smalt/bed-ovs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { OvsErrorCode } from './ovs-error.ts';

const run = promisify(execFile);
const folder = new URL('../', import.meta.url);
const readme = await readFile(new URL('README.md', folder), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');

describe('the examples of the README', () => {
  let node: OvsNode;

  beforeAll(async () => {
    node = await startOvsNode({ datapath: 'dummy' });
    await node.vsctl('add-br', 'br-int');
  });

  afterAll(async () => {
    await node[Symbol.asyncDispose]();
  });

  it.each([
    {
      about: 'openOvsdb',
      prints: /^br-int 1\n1 \[\s+\{\s+name: 'br-int',\s+tag: undefined,\s+_uuid: '[\da-f-]{36}'\s+\}\s+\]\n$/,
    },
    { about: 'findDaemon', prints: /^ovs-vswitchd 0\n\w+ \{\s+kind: 'table',\s+table: 0,\s+match: '',\s+priority: 0/ },
    { about: 'openOpenFlow', prints: /^1\.3 \[ \{ table: 0, flows: 1, .*\} \]\npriority=0 actions=NORMAL\n$/ },
  ])('the one about $about runs against a real switch', async ({ about, prints }) => {
    const example = examples.find((text) => text.includes(about)) ?? '';
    const code = example.replaceAll('/run/openvswitch', node.runDirectory);

    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', code], {
      cwd: folder,
      timeout: 20_000,
    });

    expect(stdout).toMatch(prints);
  });
});

it('explains every error code in the README', () => {
  const codes: Readonly<Record<OvsErrorCode, true>> = {
    unreachable: true,
    closed: true,
    timeout: true,
    aborted: true,
    protocol: true,
    refused: true,
    'too-large': true,
    unsupported: true,
    'not-running': true,
    'queue-full': true,
    'invalid-argument': true,
  };

  const explained = [...readme.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]);

  expect(explained).toEqual(expect.arrayContaining(Object.keys(codes)));
});

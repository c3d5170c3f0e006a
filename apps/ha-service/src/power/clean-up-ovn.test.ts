import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ServerProcess } from '@smalt/bed-kubernetes';
import { expect, it } from 'vitest';

import { runCleanUp } from './run-clean-up.ts';

const run = promisify(execFile);
const SBCTL = '/usr/bin/ovn-sbctl';
const SCHEMA = '/usr/share/ovn/ovn-sb.ovsschema';
const hasOvn = existsSync(SBCTL) && existsSync(SCHEMA) && existsSync('/usr/sbin/ovsdb-server');
const signal = AbortSignal.timeout(20_000);

it.skipIf(!hasOvn)('takes the chassis of a dead host out of OVN, however often it is asked to', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-ovn-'));
  const path = (name: string): string => join(directory.path, name);
  await run('ovsdb-tool', ['create', path('sb.db'), SCHEMA]);
  const command = ['ovsdb-server', `--remote=punix:${path('sb.sock')}`, '--no-chdir', path('sb.db')];
  await using server = ServerProcess.start('ovsdb-server', command, path('log'));
  await server.whenReady(() => Promise.resolve(existsSync(path('sb.sock'))), signal);
  const database = `--db=unix:${path('sb.sock')}`;
  for (const name of ['node1', 'node10']) await run(SBCTL, [database, 'chassis-add', name, 'geneve', '192.0.2.1']);

  const program = { name: 'ovn', command: [SBCTL, database, '--if-exists', 'chassis-del', '{host}'] };
  await runCleanUp(program, { name: 'node1', address: undefined, labels: {} }, signal);
  await runCleanUp(program, { name: 'node1', address: undefined, labels: {} }, signal);

  const { stdout } = await run(SBCTL, [database, '--bare', '--columns=name', 'list', 'Chassis']);
  expect(stdout.trim()).toBe('node10');
});

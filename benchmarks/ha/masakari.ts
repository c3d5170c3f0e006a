import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

import { BenchmarkError } from '../src/benchmark-error.ts';

const API = '/usr/bin/masakari-api';
const MANAGE = '/usr/bin/masakari-manage';
const START_MS = 60_000;
const HOST = 'host-1';

/** Debian's masakari-api on loopback, alone: one worker, SQLite, no message queue, and no identity to be proved. */
export interface Masakari extends AsyncDisposable {
  /** Its processes: the first one and its worker. */
  readonly pids: () => readonly number[];
  /** Tells it of an event of an instance; gives the status of its answer. */
  readonly notify: (at: Date) => Promise<number>;
  readonly storedNotifications: () => number;
}

/** Undefined where it is not installed. */
export async function startMasakari(signal: AbortSignal): Promise<Masakari | undefined> {
  try {
    await Promise.all([access(API), access(MANAGE)]);
  } catch {
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'masakari-'));
  const port = await freePort();
  const configuration = join(directory, 'masakari.conf');
  await writeFile(configuration, configurationText(directory, port));
  await writeFile(join(directory, 'policy.yaml'), '{}\n');
  await runToEnd(MANAGE, ['--config-file', configuration, 'db', 'sync'], signal);
  const database = new DatabaseSync(join(directory, 'masakari.db'));
  addHost(database);
  // It dies with the benchmark, whatever ends that.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', API, '--config-file', configuration], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(url, child, signal);
  return {
    pids: () => [child.pid ?? 0],
    notify: (at) => notify(url, at),
    storedNotifications: () => Number(database.prepare('SELECT count(*) AS rows FROM notifications').get()?.['rows']),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      database.close();
      await rm(directory, { recursive: true });
    },
  };
}

function configurationText(directory: string, port: number): string {
  return `[DEFAULT]
auth_strategy = noauth2
transport_url = fake:/
masakari_api_listen = 127.0.0.1
masakari_api_listen_port = ${port}
masakari_api_workers = 1
log_dir = ${directory}
[database]
connection = sqlite:///${join(directory, 'masakari.db')}
[oslo_messaging_notifications]
driver = noop
[oslo_policy]
policy_file = ${join(directory, 'policy.yaml')}
[wsgi]
api_paste_config = /etc/masakari/api-paste.ini
`;
}

/** By hand: through its API it would ask Nova whether the host exists. */
function addHost(database: DatabaseSync): void {
  const segment = randomUUID();
  database
    .prepare(
      `INSERT INTO failover_segments (deleted, uuid, name, service_type, recovery_method, enabled, created_at)
       VALUES (0, ?, 'all', 'COMPUTE', 'auto', 1, datetime('now'))`,
    )
    .run(segment);
  database
    .prepare(
      `INSERT INTO hosts (deleted, uuid, name, reserved, type, control_attributes, failover_segment_id, on_maintenance, created_at)
       VALUES (0, ?, ?, 0, 'COMPUTE', 'SSH', ?, 0, datetime('now'))`,
    )
    .run(randomUUID(), HOST, segment);
}

async function notify(url: string, at: Date): Promise<number> {
  const payload = { event: 'LIFECYCLE', instance_uuid: randomUUID(), vir_domain_event: 'STOPPED_FAILED' };
  const notification = { hostname: HOST, type: 'VM', generated_time: at.toISOString().slice(0, 19), payload };
  const answer = await fetch(`${url}/v1/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin:admin' },
    body: JSON.stringify({ notification }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function untilAnswering(url: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
  for (;;) {
    if (child.exitCode !== null) throw new BenchmarkError('peer-failed', `masakari-api ended with ${child.exitCode}`);
    const isThere = await fetch(url, { signal: deadline }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await delay(100, undefined, { signal: deadline });
  }
}

async function runToEnd(program: string, words: readonly string[], signal: AbortSignal): Promise<void> {
  const child = spawn(program, words, { stdio: 'ignore', signal });
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new BenchmarkError('peer-failed', `${program} ended with ${child.exitCode}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new BenchmarkError('peer-failed', 'no port is free');
  return address.port;
}

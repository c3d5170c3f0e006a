import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const CTRL_C = '\u0003';
/** Longer than two looks for the parent take. */
const CLEAN_UP_MS = 2_500;

describe('a program that npm runs', () => {
  it.concurrent.each<{ readonly when: string; readonly act: (world: World) => unknown; readonly heard: string }>([
    { when: 'all of a group are sent SIGTERM, and npm twice', act: sendAsTimeoutDoes, heard: 'SIGTERM' },
    { when: 'npm alone is sent SIGTERM', act: ({ npm }) => process.kill(npm, 'SIGTERM'), heard: 'SIGTERM' },
    { when: 'npm alone is sent SIGINT', act: ({ npm }) => process.kill(npm, 'SIGINT'), heard: 'SIGINT' },
    { when: 'npm is killed', act: ({ npm }) => process.kill(npm, 'SIGKILL'), heard: 'SIGTERM' },
    { when: 'what started it is killed', act: ({ starter }) => process.kill(starter, 'SIGKILL'), heard: 'SIGTERM' },
    { when: 'Ctrl-C is pressed', act: pressCtrlC, heard: 'SIGINT' },
  ])('is told once when $when, and cleans up to the end', async ({ act, heard }) => {
    await using world = await startWorld('npm start');

    await act(world);
    await world.closed;

    expect(world.lines()).toEqual([heard, 'cleaning up', 'cleaned up']);
  });

  it.concurrent('leaves at once when Ctrl-C is pressed again', async () => {
    await using world = await startWorld('npm start');

    pressCtrlC(world);
    await world.line(/cleaning up/);
    pressCtrlC(world);
    const code = await world.closed;

    expect({ code, lines: world.lines() }).toEqual({ code: 130, lines: ['SIGINT', 'cleaning up', 'SIGINT'] });
  });

  it.concurrent('writes to its terminal as one, even where that stops jobs in the background, and hears its Ctrl-C once', async () => {
    await using world = await startWorld(`script --quiet --return --command 'stty tostop && exec npm start' /dev/null`);

    world.type(CTRL_C);
    const code = await world.closed;

    expect({ code, place: world.place }).toEqual({ code: 0, place: 'on a terminal' });
    expect(world.lines()).toEqual([expect.stringMatching(/SIGINT$/), 'cleaning up', 'cleaned up']);
  });

  it('stops when its job is stopped, and goes on with it', async () => {
    await using world = await startWorld('npm start');
    const states = (): readonly string[] => [world.starter, world.listener].map(stateOf);

    process.kill(-world.npm, 'SIGTSTP');
    await expect.poll(states).toEqual(['T', 'T']);
    process.kill(-world.npm, 'SIGCONT');
    await expect.poll(states).toEqual(['S', 'S']);
    pressCtrlC(world);
    await world.closed;

    expect(world.lines()).toEqual(['SIGINT', 'cleaning up', 'cleaned up']);
  });
});

interface World extends AsyncDisposable {
  /** What was run, which leads a group of its own; npm, but on a terminal. */
  readonly npm: number;
  readonly starter: number;
  readonly listener: number;
  readonly place: string;
  /** What the program has printed since it was ready. */
  lines(): readonly string[];
  line(pattern: RegExp): Promise<RegExpExecArray>;
  type(keys: string): void;
  /** Resolves with the status once all have ended. */
  readonly closed: Promise<unknown>;
}

/** As a terminal does: to the whole group, of which npm passes its own on. */
function pressCtrlC({ npm }: World): void {
  process.kill(-npm, 'SIGINT');
}

async function sendAsTimeoutDoes(world: World): Promise<void> {
  process.kill(-world.npm, 'SIGTERM');
  // Signals that wait together would become one.
  await world.line(/SIGTERM/);
  process.kill(world.npm, 'SIGTERM');
}

async function startWorld(command: string): Promise<World> {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  const script = fileURLToPath(new URL('fixtures/start-listener.mjs', import.meta.url));
  const start = `exec '${process.execPath}' '${script}' ${CLEAN_UP_MS}`;
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ name: 'world', scripts: { start } }));
  writeFileSync(join(folder.path, '.npmrc'), 'update-notifier=false\nprogress=false\n');
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder.path, detached: true });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  child.stderr.resume();
  const closed = once(child, 'close').then(([code]: unknown[]) => code);
  const line = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let match = pattern.exec(text); ; match = pattern.exec(text)) {
      if (match) return match;
      await Promise.race([once(child.stdout, 'data'), closed.then(() => Promise.reject(new Error(text)))]);
    }
  };
  const [ready, listener, starter, place = ''] = await line(/ready (\d+) of (\d+) (.*\w)\s*\n/);
  const npm = child.pid ?? 0;
  return {
    npm,
    starter: Number(starter),
    listener: Number(listener),
    place,
    lines: () => (text.split(ready)[1] ?? '').split(/\s*\n/).filter((each) => each !== ''),
    line,
    type: (keys) => void child.stdin.write(keys),
    closed,
    [Symbol.asyncDispose]: async () => {
      for (const each of [Number(listener), -npm]) endIfThere(each);
      await closed;
      folder.remove();
    },
  };
}

function endIfThere(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It has ended, as it should have.
  }
}

/** One letter: S sleeps, T is stopped. */
function stateOf(pid: number): string {
  return /[)] (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
}

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Secret } from '@smalt/secret';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createCommandController } from './command-controller.ts';

const never = new AbortController().signal;
let directory: string;
let count = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bmc-command-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

describe('the state that a command prints', () => {
  it.each([
    { printed: 'off', state: 'off' },
    { printed: 'powering-off\\n\\n', state: 'powering-off' },
    { printed: '{"power": "on", "outlet": 7}', state: 'on' },
    { printed: 'unknown', state: 'unknown' },
  ])('is $state for $printed', async ({ printed, state }) => {
    const program = await script(`printf '${printed}'`);

    const reading = await createCommandController({ command: [program] }).readPower(never);

    expect(reading).toEqual({ state, method: `command ${program}` });
  });

  it.each(['', 'OFF', 'off off', '{"power": "Off"}', '{"state": "off"}', '{"power": "off"', '{"power": ["off"]}'])(
    'is not guessed from "%s"',
    async (printed) => {
      const program = await script(`printf '${printed}'`);

      await expect(createCommandController({ command: [program] }).readPower(never)).rejects.toMatchObject({
        code: 'bad-answer',
      });
    },
  );

  it('is not believed when the command failed', async () => {
    const program = await script('echo off; exit 1');

    await expect(createCommandController({ command: [program] }).readPower(never)).rejects.toMatchObject({
      code: 'refused',
    });
  });
});

describe('a command', () => {
  it('gets its arguments as they are, and the verb after them', async () => {
    const log = join(directory, 'log');
    const program = await script(`printf '[%s]' "$@" >>${log}; echo on`);
    const controller = createCommandController({ command: [program, 'outlet 7', '$(reboot)'] });

    await controller.readPower(never);
    await controller.powerOff(never);
    await controller.powerOn(never);

    const lines = ['status', 'off', 'on'].map((verb) => `[outlet 7][$(reboot)][${verb}]`);
    await expect(readFile(log, 'utf8')).resolves.toBe(lines.join(''));
  });

  it('gets the environment of its settings and nothing of ours', async () => {
    const log = join(directory, 'environment');
    const program = await script(`/usr/bin/env | sort >${log}`);
    const environment = { PDU: 'pdu-3', PDU_PASSWORD: new Secret('hidden') };

    await createCommandController({ command: [program], environment }).powerOff(never);

    const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => !/^(_|PWD|SHLVL|OLDPWD)=|^$/.test(line));
    expect(lines).toEqual(['LC_ALL=C', expect.stringMatching(/^PATH=/), 'PDU=pdu-3', 'PDU_PASSWORD=hidden']);
  });

  it.each([
    { exit: 1, code: 'refused' },
    { exit: 64, code: 'bad-setting' },
    { exit: 68, code: 'no-such-system' },
    { exit: 69, code: 'unreachable' },
    { exit: 75, code: 'timeout' },
    { exit: 76, code: 'bad-answer' },
    { exit: 77, code: 'unauthorized' },
    { exit: 78, code: 'bad-setting' },
  ])('that ends with $exit fails with $code and its last words', async ({ exit, code }) => {
    const program = await script(`echo "no outlet for $PASSWORD" >&2; exit ${exit}`);
    const controller = createCommandController({ command: [program], environment: { PASSWORD: new Secret('hidden') } });

    await expect(controller.powerOff(never)).rejects.toMatchObject({
      code,
      message: `command ${program} off: exit code ${exit}: no outlet for <secret>`,
    });
  });

  it('is killed at the deadline with its children', async () => {
    const log = join(directory, 'children');
    const program = await script(`sleep 1000 & echo $! >${log}; wait`);
    const controller = createCommandController({ command: [program], timeoutMs: 500 });

    await expect(controller.powerOff(never)).rejects.toMatchObject({ code: 'timeout' });

    const child = (await readFile(log, 'utf8')).trim();
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it('leaves no children behind when it ends', async () => {
    const log = join(directory, 'left-behind');
    const program = await script(`sleep 1000 & echo $! >${log}; echo off`);

    const reading = await createCommandController({ command: [program] }).readPower(never);

    const child = (await readFile(log, 'utf8')).trim();
    expect(reading.state).toBe('off');
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it('ends when the caller gives up', async () => {
    const log = join(directory, 'given-up');
    const program = await script(`echo $$ >${log}; sleep 1000`);
    const giveUp = new AbortController();

    const asked = createCommandController({ command: [program] })
      .powerOff(giveUp.signal)
      .catch(toCode);
    const pid = (): Promise<string> => readFile(log, 'utf8').catch(() => '');
    await expect.poll(pid).not.toBe('');
    giveUp.abort();

    await expect(asked).resolves.toBe('aborted');
    const started = (await pid()).trim();
    await expect.poll(() => isRunning(started)).toBe(false);
  });

  it('that talks without end is stopped', async () => {
    const program = await script('yes off');

    await expect(createCommandController({ command: [program] }).readPower(never)).rejects.toMatchObject({
      code: 'bad-answer',
    });
  });

  it('that does not exist or may not be run is missing', async () => {
    const program = await script('exit 0');
    await chmod(program, 0o644);

    await expect(createCommandController({ command: ['/nowhere/pdu'] }).powerOff(never)).rejects.toMatchObject({
      code: 'tool-missing',
    });
    await expect(createCommandController({ command: [program] }).powerOff(never)).rejects.toMatchObject({
      code: 'tool-missing',
    });
  });

  it.each([
    { settings: { command: [] }, named: 'command' },
    { settings: { command: ['pdu'] }, named: 'command' },
    { settings: { command: ['/bin/pdu', 'a\0b'] }, named: 'command' },
    { settings: { command: ['/bin/pdu'], environment: { 'A=B': 'c' } }, named: 'environment' },
    { settings: { command: ['/bin/pdu'], environment: { A: new Secret('b\0c') } }, named: 'environment' },
    { settings: { command: ['/bin/pdu'], timeoutMs: 0.5 }, named: 'timeoutMs' },
  ])('needs settings that make sense: $settings', ({ settings, named }) => {
    expect(() => createCommandController(settings)).toThrow(new RegExp(`^${named} `));
  });
});

async function script(text: string): Promise<string> {
  const path = join(directory, `program-${++count}`);
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

/** A process that is dead but that nobody has asked about yet does not run. */
async function isRunning(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/^\d+ \(.*\) Z/.test(status);
}

function toCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}

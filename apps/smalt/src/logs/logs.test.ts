import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { exitCodeOf } from '../output/exit-code.ts';
import { startCliBed, type CliBed } from '../output/fixtures/cli-bed.ts';
import { runLogs } from './run-logs.ts';

let bed: CliBed;

beforeAll(async () => {
  bed = await startCliBed();
  await bed.instance('web');
});

beforeEach(() => {
  bed.asked.length = 0;
  bed.tell = async (stream, url) => {
    const unit = /unit=(\w+)/.exec(url)?.[1] ?? 'qemu';
    await stream.writeText(`${JSON.stringify({ lines: [{ source: unit, text: `from ${unit}\u001B[2J` }] })}\n`);
    await stream.close();
  };
});

afterAll(() => bed[Symbol.asyncDispose]());

it('prints the log of a machine, in which nothing can steer the terminal', async () => {
  const program = bed.program();

  await runLogs(program, 'web', { lines: 5 });

  expect(program.printed()).toBe('qemu │ from qemu\\u{1b}[2J\n');
  expect(bed.asked).toEqual(['GET /v1/namespaces/default/virtualmachineinstances/web/logs?lines=5&follow=false']);
});

it('prints all logs of a host, or one', async () => {
  const [all, one] = [bed.program(), bed.program()];

  await runLogs(all, 'n1', { lines: 1 });
  await runLogs(one, 'n1', { lines: 1, unit: 'ovs' });

  expect(all.printed().trim().split('\n').toSorted()).toEqual(
    ['agents', 'libvirt', 'ovs'].map((unit) => `${unit} │ from ${unit}\\u{1b}[2J`),
  );
  expect(one.printed()).toBe('ovs │ from ovs\\u{1b}[2J\n');
});

it('goes on until it is stopped where that was asked for', async () => {
  bed.tell = async (stream) => {
    await stream.writeText('{"lines":[{"source":"qemu","text":"one","at":"2026-01-02T03:04:05.000Z"}]}\n');
    for await (const bytes of stream) expect(bytes.length).toBe(0);
  };
  const program = bed.program();

  const following = runLogs(program, 'web', { lines: 0, follow: true });
  await expect.poll(program.printed).toBe('2026-01-02T03:04:05.000Z qemu │ one\n');
  program.stop.abort();
  await following;

  expect(bed.asked[0]).toContain('follow=true');
});

it('says where to look for a name that is neither, and ends with 3', async () => {
  const failure = runLogs(bed.program(), 'nobody', { lines: 1 });

  await expect(failure).rejects.toThrow('there is neither a machine nobody that runs in default nor a host nobody');
  expect(exitCodeOf(await failure.catch((error: unknown) => error))).toBe(3);
});

it('says that a host cannot be reached', async () => {
  const failure = runLogs(bed.program(), 'n9', { lines: 1, host: true });

  await expect(failure).rejects.toThrow(
    'the log of n9 cannot be read: Unable to connect to virt-handler: there is no node n9',
  );
});

import { KubeError } from '@smalt/kube';
import { WebSocketError } from '@smalt/websocket';
import { Command } from 'commander';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SmaltError } from '../smalt-error.ts';
import { parseDuration } from './command-flags.ts';
import { describeFailure } from './describe-failure.ts';
import { durationText } from './duration-text.ts';
import { exitCodeOf, exitCodeOfStatus } from './exit-code.ts';
import { fitted, LiveScreen } from './live-screen.ts';
import { listText } from './print-list.ts';
import { percentText, progressBar } from './progress-bar.ts';
import { useExitCodes } from './use-exit-codes.ts';
import { withDeadline } from './with-deadline.ts';

const STEERING = '\u001B]0;x\u0007\u001B[2J\u202E';

describe('an exit code', () => {
  it.each([
    [new SmaltError('wrong-use', ''), 2],
    [new SmaltError('not-found', ''), 3],
    [new SmaltError('refused', ''), 4],
    [new SmaltError('timed-out', ''), 5],
    [new SmaltError('failed', ''), 1],
    [new KubeError('not-found', ''), 3],
    [new KubeError('forbidden', ''), 4],
    [new KubeError('timeout', ''), 5],
    [new KubeError('connection', ''), 1],
    [new KubeError('bad-config', ''), 2],
    [new SmaltError('no-stream', '', { cause: new WebSocketError('refused', '', { httpStatus: 404 }) }), 3],
    [new WebSocketError('refused', '', { httpStatus: 403 }), 4],
    [new WebSocketError('connection', ''), 1],
    [new Error('x'), 1],
  ])('of %s is %d', (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  it.each([
    [404, 3],
    [403, 4],
    [409, 4],
    [504, 5],
    [503, 1],
  ])('of the answer %d is %d', (status, code) => {
    expect(exitCodeOfStatus(status)).toBe(code);
  });
});

describe('a failure', () => {
  it('has the next step below what is wrong', () => {
    expect(describeFailure(new KubeError('forbidden', 'GET /x: no'))).toEqual({
      text: 'GET /x: no\nask for a role that allows it, or use another --kubeconfig or --context',
      exitCode: 4,
    });
  });

  it('that is a mistake of ours is shown with its stack', () => {
    const { text, exitCode } = describeFailure(new TypeError('x is undefined'));

    expect(text).toMatch(/^TypeError: x is undefined\n    at /);
    expect(exitCode).toBe(1);
  });

  it.each([
    ['a condition', new SmaltError('failed', `web has failed: ${STEERING}\nsmalt logs web`)],
    ['an answer of the API', new KubeError('invalid', `spec: ${STEERING}`)],
    ['a mistake of ours', new TypeError(STEERING)],
    ['something that is no error', STEERING],
  ])('with the words of %s cannot steer the terminal, and keeps its lines', (_, error) => {
    const { text } = describeFailure(error);

    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain('[2J');
    expect(text.split('\n').length > 1).toBe(error instanceof SmaltError || error instanceof TypeError);
  });

  it.each([
    [['--nonsense'], 2],
    [['--help'], 0],
  ])('of the words %j ends with %d, and nothing more is said', async (words, exitCode) => {
    const command = useExitCodes(
      new Command('x').configureOutput({ writeErr: () => undefined, writeOut: () => undefined }),
    );

    const error = await command.parseAsync(words, { from: 'user' }).catch((thrown: unknown) => thrown);

    expect(describeFailure(error)).toEqual({ text: '', exitCode });
  });
});

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
  ])('%s is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '5', 's', '5m x', '-1s', '0s', '9999999h'])('is not %j', (text) => {
    expect(() => parseDuration(text)).toThrow('A duration is a number with a unit');
  });

  it.each([
    [400, '0.4 s'],
    [12_900, '12 s'],
    [185_000, '3 m 5 s'],
    [7_440_000, '2 h 4 m'],
    [432_000_000, '5 d'],
    [-5, '0 s'],
  ])('of %d ms reads %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});

describe('a bar', () => {
  it('is as wide as it should be, whatever the share', () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 0, max: 50 }), (share, width) => {
        expect(progressBar(share, width)).toHaveLength(width);
      }),
    );
  });

  it.each([
    [0.25, '█░░░', '25 %'],
    [1.5, '████', '100 %'],
    [Number.NaN, '░░░░', '0 %'],
  ])('for %d is %s', (share, bar, percent) => {
    expect([progressBar(share, 4), percentText(share)]).toEqual([bar, percent]);
  });
});

describe('a list', () => {
  const listing = { columns: ['NAME'], rows: [['a\u001B[2J']], empty: 'none', value: [{ name: 'a' }] };

  it.each([
    ['table', 'NAME\na\\u{1b}[2J\n'],
    ['json', '[\n  {\n    "name": "a"\n  }\n]\n'],
    ['yaml', '- name: a\n'],
  ] as const)('as %s', async (format, text) => {
    expect(await listText(listing, format)).toBe(text);
  });

  it('without rows says so', async () => {
    expect(await listText({ ...listing, rows: [] }, 'table')).toBe('none\n');
  });
});

describe('a live screen', () => {
  it('writes over what it drew, cuts what is too long or too much, and leaves out what did not change', async () => {
    const written: string[] = [];
    const screen = new LiveScreen({
      isTerminal: true,
      size: { columns: 6, rows: 3 },
      write: async (text) => void written.push(text),
    });

    await screen.draw(['one', 'a long line', 'never seen']);
    await screen.draw(['one', 'a long line', 'also not']);
    await screen.draw(['two']);
    await screen.print('stays');
    await screen.draw(['three']);

    expect(written).toEqual(['one\na lon…\n', '\u001B[2A\r\u001B[Jtwo\n', '\u001B[1A\r\u001B[Jstays\n', 'three\n']);
  });

  it('draws nothing where there is no terminal', async () => {
    const written: string[] = [];
    const output = {
      isTerminal: false,
      size: { columns: 80, rows: 24 },
      write: async (text: string) => void written.push(text),
    };

    await new LiveScreen(output).draw(['x']);

    expect(written).toEqual([]);
  });

  it('cuts a coloured line without leaving a colour on', () => {
    expect(fitted('\u001B[31mlong red\u001B[39m', 5)).toBe('long…');
  });
});

describe('a deadline', () => {
  it('tells what was not reached in time', async () => {
    const waiting = withDeadline(
      { timeoutMs: 5, signal: new AbortController().signal, what: () => 'not yet' },
      untilAborted,
    );

    await expect(waiting).rejects.toMatchObject({ code: 'timed-out', message: 'not yet' });
  });
});

async function untilAborted(signal: AbortSignal): Promise<string> {
  const aborted = Promise.withResolvers<string>();
  signal.addEventListener('abort', () => aborted.resolve('late'));
  return await aborted.promise;
}

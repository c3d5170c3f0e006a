import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { OutageLog } from './outage-log.ts';

it('tells each reason once, the end once, and the next outage again', () => {
  const { log, lines, pass } = world();

  for (const reason of ['a', 'a', 'b', 'a']) log.fail(failure(reason));
  log.end('back');
  log.end('back');
  pass(60_000);
  log.fail(failure('a'));

  expect(lines).toEqual(['warn a', 'warn b', 'info back', 'warn a']);
});

it('does not tell of what comes and goes all the time', () => {
  const { log, lines, pass } = world();

  for (let times = 0; times < 59; times++) {
    log.fail(failure('a'));
    log.end('back');
    pass(1_000);
  }

  expect(lines).toEqual(['warn a', 'info back']);
});

it('tells of what lasts once an hour', () => {
  const { log, lines, pass } = world();

  for (let minutes = 0; minutes < 150; minutes++) {
    log.fail(failure('a'));
    pass(60_000);
  }

  expect(lines).toEqual(['warn a', 'warn a', 'warn a']);
});

function world() {
  const lines: string[] = [];
  let now = 0;
  const write = (line: string): void => {
    const { level, msg } = Object(JSON.parse(line));
    lines.push(`${level} ${msg}`);
  };
  const logger = createLogger({ name: 'test', level: 'info', destination: { write } });
  return {
    lines,
    log: new OutageLog(logger, { monotonic: () => now }),
    pass: (milliseconds: number): void => void (now += milliseconds),
  };
}

function failure(text: string) {
  return { key: text, text, error: new Error(text) };
}

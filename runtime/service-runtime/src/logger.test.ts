import { describe, expect, it } from 'vitest';

import { createLogger, isLogLevel, type Logger, type LoggerOptions } from './index.ts';

describe('createLogger', () => {
  it('writes one line of JSON with the fields and the message', () => {
    const { logger, lines } = capture({});

    logger.child({ component: 'store' }).info({ resource: 'pods', durationMs: 3 }, 'stored');

    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      name: 'app',
      component: 'store',
      resource: 'pods',
      durationMs: 3,
      msg: 'stored',
    });
  });

  it('shows no secret, at the top or one level down', () => {
    const { logger, lines } = capture({ redact: ['connection.uri'] });

    logger.info({ token: 'hush', user: { password: 'hush' }, connection: { uri: 'hush' } }, 'connected');

    expect(lines.join('')).not.toContain('hush');
    expect(lines.join('')).toContain('[redacted]');
  });

  it('changes its level at once, for its children too', () => {
    const { logger, lines } = capture({ level: 'warn' });
    const child = logger.child({ part: 'a' });

    child.info({}, 'not shown');
    logger.setLevel('debug');
    child.debug({}, 'shown');

    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['shown']);
    expect(child.level).toBe('debug');
  });

  it('writes a stack for an error', () => {
    const { logger, lines } = capture({});

    logger.error({ error: new TypeError('broken') }, 'failed');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: { type: 'TypeError', message: 'broken' } });
  });

  it('writes a line for people when asked to', () => {
    const { logger, lines } = capture({ format: 'pretty' });

    logger.warn({ file: 'a b', count: 2 }, 'slow');

    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d[.]\d{3} WARN {2}slow file=a b count=2\n$/);
  });

  it('is silent when told to be', () => {
    const { logger, lines } = capture({ level: 'silent' });

    logger.error({}, 'not shown');

    expect(lines).toEqual([]);
  });
});

it.each([
  { value: 'info', expected: true },
  { value: 'constructor', expected: false },
  { value: 3, expected: false },
])('knows that $value is a level: $expected', ({ value, expected }) => {
  expect(isLogLevel(value)).toBe(expected);
});

function capture(options: Partial<LoggerOptions>): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({ name: 'app', ...options, destination: { write: (line) => lines.push(line) } });
  return { logger, lines };
}

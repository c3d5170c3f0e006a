import { describe, expect, it } from 'vitest';

import { describeExit, parseTermination } from './exit.ts';

describe('describeExit', () => {
  const nothing = { termination: undefined, exitCode: undefined, isOtherBoot: false, lastWords: '' };

  it.each([
    { facts: { termination: { exitCode: 0, message: '' } }, exit: { exitCode: 0, reason: 'Completed', message: '' } },
    // The launcher knows better than its parent: it has written this last.
    { facts: { termination: { exitCode: 0, message: '' }, exitCode: 0 }, exit: { exitCode: 0, reason: 'Completed' } },
    { facts: { termination: { exitCode: 1, message: 'no' } }, exit: { exitCode: 1, reason: 'Error', message: 'no' } },
    { facts: { termination: { exitCode: 1, message: '' }, lastWords: 'log' }, exit: { exitCode: 1, message: 'log' } },
    { facts: { exitCode: 1, lastWords: 'log' }, exit: { message: 'the launcher ended with 1; its last words: log' } },
    { facts: { exitCode: 137 }, exit: { exitCode: 137, reason: 'Error', message: 'the launcher was killed' } },
    { facts: { exitCode: 0 }, exit: { exitCode: 137, reason: 'Error' } },
    { facts: {}, exit: { exitCode: 137, reason: 'Error', message: 'the launcher was killed' } },
    { facts: { isOtherBoot: true }, exit: { exitCode: 137, reason: 'NodeRebooted' } },
  ])('$facts', ({ facts, exit }) => {
    expect(describeExit({ ...nothing, ...facts })).toMatchObject(exit);
  });
});

describe('parseTermination', () => {
  it.each([
    { text: '{"exitCode":0,"message":""}', value: { exitCode: 0, message: '' } },
    { text: '', value: undefined },
    { text: '{"exitCode":0', value: undefined },
    { text: '{"exitCode":"0","message":""}', value: undefined },
    { text: 'null', value: undefined },
  ])('$text', ({ text, value }) => {
    expect(parseTermination(text)).toEqual(value);
  });
});

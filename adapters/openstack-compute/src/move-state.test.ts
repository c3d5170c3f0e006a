import { describe, expect, it } from 'vitest';

import { isMoveOver, moveState } from './move-state.ts';

describe('moveState', () => {
  it.each([
    ['accepted', 'queued', false],
    ['queued', 'queued', false],
    ['preparing', 'running', false],
    ['pre-migrating', 'running', false],
    ['migrating', 'running', false],
    ['running', 'running', false],
    ['post-migrating', 'running', false],
    ['finished', 'unconfirmed', false],
    ['confirming', 'running', false],
    ['confirmed', 'succeeded', true],
    ['completed', 'succeeded', true],
    ['done', 'succeeded', true],
    ['reverting', 'running', false],
    ['reverted', 'aborted', true],
    ['cancelling', 'running', false],
    ['cancelled', 'aborted', true],
    ['failed', 'failed', true],
    ['error', 'failed', true],
    ['a word of some other Nova', 'running', false],
  ])('%s is %s, and over: %s', (status, state, isOver) => {
    expect(moveState(status)).toBe(state);
    expect(isMoveOver(moveState(status))).toBe(isOver);
  });
});

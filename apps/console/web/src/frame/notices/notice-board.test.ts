import { expect, it } from 'vitest';

import { ApiError } from '../../api/api-error.ts';
import { NoticeBoard } from './notice-board.ts';
import { failureLines } from './use-act.ts';

it('puts away by itself what was done, and keeps what failed', () => {
  const later: (() => void)[] = [];
  const board = new NoticeBoard((run) => {
    later.push(run);
    return () => undefined;
  });

  board.tell({ tone: 'done', title: 'started', lines: [] });
  board.tell({ tone: 'failed', title: 'not stopped', lines: ['why'] });
  const before = board.notices().map(({ title }) => title);
  later.forEach((run) => run());

  expect(before).toEqual(['started', 'not stopped']);
  expect(board.notices().map(({ title }) => title)).toEqual(['not stopped']);
});

it('shows the newest when there are many', () => {
  const board = new NoticeBoard(() => () => undefined);

  for (let count = 0; count < 9; count += 1) board.tell({ tone: 'failed', title: `${count}`, lines: [] });

  expect(board.notices().map(({ title }) => title)).toEqual(['4', '5', '6', '7', '8']);
});

it('names the field of each cause, and says the same only once', () => {
  const cause = { field: 'spec.a', message: 'is wrong' };
  const error = new ApiError({
    code: 'invalid',
    status: 422,
    message: 'all of it',
    causes: [cause, cause, { message: 'b' }],
  });

  expect(failureLines(error)).toEqual(['spec.a: is wrong', 'b']);
  expect(failureLines(new Error('plain'))).toEqual(['plain']);
});

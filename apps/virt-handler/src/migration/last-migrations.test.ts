import { expect, it } from 'vitest';

import { LastMigrations } from './last-migrations.ts';

it('forgets what nobody has spoken of for the longest time, and nothing else', () => {
  const migrations = new LastMigrations<number>(2);
  migrations.set('first', 1);
  migrations.set('second', 2);
  migrations.set('first', 3);

  migrations.set('third', 4);

  expect(['first', 'second', 'third'].map((uid) => migrations.get(uid))).toEqual([3, undefined, 4]);
});

it('has room again for what was taken out', () => {
  const migrations = new LastMigrations<number>(2);
  migrations.set('first', 1);
  migrations.set('second', 2);

  migrations.delete('second');
  migrations.set('third', 3);

  expect(['first', 'second', 'third'].map((uid) => migrations.get(uid))).toEqual([1, undefined, 3]);
});

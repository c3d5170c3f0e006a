import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { BrakeNews } from './brake-news.ts';

it('tells once that no other host is recovered, and once that this is over', () => {
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', destination: { write: (text: string) => void lines.push(text) } });
  const news = new BrakeNews(logger);

  for (const isUsedUp of [false, true, true, false, false]) news.take(isUsedUp);

  expect(lines).toEqual([
    expect.stringContaining('no other is recovered'),
    expect.stringContaining('is recovered again'),
  ]);
});

import { expect, it } from 'vitest';

import { renderIni } from './render-ini.ts';

it('writes sections and their values in order', () => {
  const text = renderIni({ DEFAULT: { use_stderr: true, workers: 1 }, database: { connection: 'mysql://x' } });

  expect(text).toBe('[DEFAULT]\nuse_stderr = true\nworkers = 1\n\n[database]\nconnection = mysql://x\n');
});

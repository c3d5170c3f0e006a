// Vitest runs this before each test file. A worker runs hundreds of files: what one of them leaves spinning takes a processor
// from all that come after it.
import { afterAll } from 'vitest';

import { isSpinning } from './is-spinning.ts';

// The file that did it is named, not those after it.
const wasSpinning = await isSpinning();

afterAll(async () => {
  if (!wasSpinning && (await isSpinning()))
    throw new Error('something that this file began keeps the event loop turning: end it');
});

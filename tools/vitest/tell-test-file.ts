// Vitest runs this before each test file: beds keep what accounts were refused by its name, and a worker runs many.
import { relative, resolve } from 'node:path';

import { expect } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

// oxlint-disable-next-line node/no-process-env -- the one way to tell what a test file starts
process.env['SMALT_TEST_FILE'] = relative(ROOT, expect.getState().testPath ?? '');

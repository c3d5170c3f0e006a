import { expect, it } from 'vitest';

import { isMissingSoftware } from './error.ts';
import { findProgram } from './find-program.ts';

it('finds a program of the operating system', async () => {
  expect(await findProgram('mount', 'mount')).toMatch(/^\/(usr\/)?s?bin\/mount$/);
});

it('names the package of a program that is missing', async () => {
  const error: unknown = await findProgram('no-such-program', 'some-package').catch((reason: unknown) => reason);

  expect(isMissingSoftware(error)).toBe(true);
  expect(error).toMatchObject({ message: expect.stringContaining('install the Debian package some-package') });
});

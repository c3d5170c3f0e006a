import type { BrowserContext } from 'playwright-core';

import { ConsoleBedError } from './bed-error.ts';

/** Signs the person of a browser in, without a page. */
export async function signInByToken(context: BrowserContext, url: string, token: string): Promise<void> {
  const headers = { origin: url, 'x-smalt-console': '1' };
  const answer = await context.request.post(new URL('/session', url).href, { headers, data: { token } });
  if (!answer.ok()) throw new ConsoleBedError('no-token', `the console refused the token: ${await answer.text()}`);
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';

import { ConsoleBedError } from './bed-error.ts';
import { inRepository } from './repository.ts';

/** How long a thing on a page may take to come, on a busy machine. */
const PATIENCE_MS = 20_000;
const VIOLATION = 'refused by the Content-Security-Policy:';
const WATCH_POLICY = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
  console.error('${VIOLATION}', violatedDirective, blockedURI, sourceFile))`;

/**
 * Opens a page, and closes it afterwards. Rejects when `use` does, and when the page had an error of its own: an exception, an
 * error on its console that does not match `complaints`, something its policy refused. What the page looked like then is kept in `.cache/browser-failures`.
 */
export async function withPage<T>(
  context: BrowserContext,
  title: string,
  use: (page: Page) => Promise<T>,
  complaints?: RegExp,
): Promise<T> {
  const page = await context.newPage();
  const problems = watchProblems(page, complaints);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(WATCH_POLICY);
  try {
    const result = await use(page);
    if (problems.length > 0) throw new ConsoleBedError('page-failed', problems.join('\n'));
    return result;
  } catch (error) {
    await keepFailure(page, title, [String(error), ...problems]);
    throw error;
  } finally {
    await page.close();
  }
}

function watchProblems(page: Page, complaints: RegExp | undefined): readonly string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`the page threw ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // A refused call is the server's answer, and for the page to tell.
    const isAnswer = message.text().startsWith('Failed to load resource');
    const isExpected = isAnswer || complaints?.test(message.text()) === true;
    if (message.type() === 'error' && !isExpected) problems.push(`the page complained: ${message.text()}`);
  });
  return problems;
}

async function keepFailure(page: Page, title: string, lines: readonly string[]): Promise<void> {
  const directory = inRepository('.cache/browser-failures');
  const path = join(directory, title.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase());
  await mkdir(directory, { recursive: true });
  const body = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2_000 })
    .catch((error: unknown) => String(error));
  await writeFile(`${path}.txt`, [page.url(), ...lines, '', body].join('\n'));
  await page.screenshot({ path: `${path}.png`, timeout: 5_000 }).catch(() => undefined);
}

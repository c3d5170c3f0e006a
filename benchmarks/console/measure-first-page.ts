import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { isJsonObject } from '@smalt/json';
import type { Page } from 'playwright-core';

import type { ConsoleWorld } from './console-world.ts';
import type { LoadedFile } from './console-result.ts';

const LIST = '/virtual-machines';
const ENTRIES = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`;

/** What a browser with an empty cache loads until the list stands; answers of the API are no part of it. */
export async function measureFirstPage(world: ConsoleWorld): Promise<readonly LoadedFile[]> {
  await using context = await world.person();
  const page = await context.newPage();
  await page.goto(LIST);
  await page.getByRole('grid').waitFor();
  const files: LoadedFile[] = [];
  for (const { path, sentBytes } of await loadedFiles(page)) {
    files.push({ path, sentBytes, gzipBytes: await gzipSize(new URL(path, world.url)) });
  }
  return files;
}

async function loadedFiles(page: Page): Promise<readonly { readonly path: string; readonly sentBytes: number }[]> {
  const entries: unknown = await page.evaluate(ENTRIES);
  if (!Array.isArray(entries)) return [];
  return entries.filter(isJsonObject).flatMap(({ name, encodedBodySize }) => {
    if (typeof name !== 'string') return [];
    const path = new URL(name).pathname;
    const isFile = path === LIST || /[.]\w+$/.test(path);
    return isFile ? [{ path, sentBytes: Number(encodedBodySize) }] : [];
  });
}

async function gzipSize(url: URL): Promise<number> {
  const request = get(url, { headers: { 'accept-encoding': 'gzip' }, agent: false });
  const answered: readonly IncomingMessage[] = await once(request, 'response');
  let size = 0;
  for await (const chunk of answered[0] ?? []) size += Buffer.from(chunk).length;
  return size;
}

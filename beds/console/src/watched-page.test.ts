import { once } from 'node:events';
import { access, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openChromium } from './open-chromium.ts';
import { inRepository } from './repository.ts';
import { withPage } from './watched-page.ts';

const TITLE = 'A page that is watched';
const KEPT = inRepository('.cache/browser-failures/a-page-that-is-watched');
const PAGES: Readonly<Record<string, string>> = {
  '/good': '<h1>Good</h1>',
  '/throws': '<script nonce="x">setTimeout(() => { throw new Error("lost a button"); })</script>',
  '/complains': '<script nonce="x">console.error("lost a row")</script>',
  '/styled': '<h1 style="color: red">Styled</h1>',
};

describe('withPage', () => {
  let browser: Browser;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    browser = await openChromium();
    server = createServer((request, response) => {
      response.setHeader('content-security-policy', "default-src 'none'; script-src 'nonce-x'; style-src 'self'");
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>x</title>${PAGES[request.url ?? ''] ?? ''}`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await Promise.all(['png', 'txt'].map((type) => rm(`${KEPT}.${type}`, { force: true })));
  });

  it('gives back what was found on a page without errors', async () => {
    expect(await look('/good', 'h1')).toBe('Good');
  });

  it.each([
    { path: '/throws', message: /lost a button/ },
    { path: '/complains', message: /lost a row/ },
    { path: '/styled', message: /style-src/ },
  ])('rejects for $path, and keeps what it looked like', async ({ path, message }) => {
    await expect(look(path, 'body')).rejects.toThrow(message);

    await expect(Promise.all([access(`${KEPT}.png`), access(`${KEPT}.txt`)])).resolves.toBeDefined();
  });

  async function look(path: string, selector: string): Promise<string | null> {
    await using context = await browser.newContext({ baseURL: url });
    return await withPage(context, TITLE, async (page) => {
      await page.goto(path);
      const text = await page.locator(selector).textContent();
      // What a page does a moment later counts as well.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      return text;
    });
  }
});

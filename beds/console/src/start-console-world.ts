import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { accountToken } from './account-token.ts';
import { ensurePages } from './ensure-pages.ts';
import { openChromium } from './open-chromium.ts';
import { signInByToken } from './sign-in-by-token.ts';
import { startSmalt, type RunningSmalt, type SmaltOptions } from './start-smalt.ts';
import { withPage } from './watched-page.ts';

export interface VisitOptions {
  /** Who looks; the administrator without it. */
  readonly as?: BrowserContext;
  /** What the page may complain about on its console, because the test makes it fail. */
  readonly complaints?: RegExp;
}

/** A running smalt, and a browser in which its administrator has signed in. */
export interface ConsoleWorld extends AsyncDisposable {
  readonly smalt: RunningSmalt;
  readonly browser: Browser;
  /** The administrator's client, past the console. */
  readonly admin: KubeClient;
  /** A one-time link. */
  link(): Promise<string>;
  /** The token of an account that is made with it. */
  token(name: string, ...clusterRoles: readonly string[]): Promise<string>;
  /** A browser of somebody who has not signed in, or of an account with a token. */
  person(options?: BrowserContextOptions & { readonly token?: string }): Promise<BrowserContext>;
  /** Opens a page of the console as the administrator, or as somebody else, and checks that it ends without errors. */
  visit<T>(title: string, path: string, use: (page: Page) => Promise<T>, options?: VisitOptions): Promise<T>;
}

const DESKTOP = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const;

export async function startConsoleWorld(options: SmaltOptions): Promise<ConsoleWorld> {
  await using stack = new AsyncDisposableStack();
  await ensurePages();
  const browser = stack.use(await openChromium());
  const smalt = stack.use(await startSmalt(options));
  const config = await loadKubeConfig({ path: smalt.kubeconfig, environment: {} });
  const admin = stack.use(new KubeClient({ config, userAgent: 'browser-tests/1' }));
  const link = async (): Promise<string> => (await smalt.run('open')).trim();
  const person: ConsoleWorld['person'] = async ({ token, ...given } = {}) => {
    const context = await browser.newContext({ ...DESKTOP, baseURL: smalt.url, ...given });
    if (token !== undefined) await signInByToken(context, smalt.url, token);
    return context;
  };
  const administrator = await person();
  const entry = await administrator.newPage();
  await entry.goto(smalt.link);
  await entry.close();
  const owned = stack.move();
  return {
    smalt,
    browser,
    admin,
    link,
    person,
    token: (name, ...clusterRoles) => accountToken(admin, name, clusterRoles),
    visit: (title, path, use, { as = administrator, complaints } = {}) => {
      const visited = async (page: Page): Promise<Awaited<ReturnType<typeof use>>> => {
        await page.goto(path);
        return await use(page);
      };
      return withPage(as, title, visited, complaints);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

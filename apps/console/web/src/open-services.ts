import { ApiClient } from './api/api-client.ts';
import { Rights } from './api/rights.ts';
import { SessionKeeper } from './api/session.ts';
import { watchExpiry } from './api/watch-expiry.ts';
import { NoticeBoard } from './frame/notices/notice-board.ts';
import { LiveConnection } from './live/live-connection.ts';
import { LiveStore } from './live/live-store.ts';
import { socketUrl } from './live/socket-url.ts';
import type { Services } from './services.ts';

/** How often a page that nobody sees takes in what has changed. */
const HIDDEN_STEP_MS = 500;

/** Makes what the pages use, of what the browser has. */
export function openServices(): Services {
  const session = new SessionKeeper();
  const checkSession = (): void => void session.check(api);
  const api = new ApiClient({ fetch: (...request) => fetch(...request), onUnauthorized: checkSession });
  const connection = new LiveConnection({
    open: () => new WebSocket(socketUrl('/live')),
    random: () => Math.random(),
    now: () => Date.now(),
    later,
    onMessages: (messages) => live.receive(messages),
    onOpen: () => live.followAgain(),
    onRefused: checkSession,
  });
  const live = new LiveStore({ send: (message) => connection.send(message), nextFrame, later });
  const rights = new Rights(api, () => Date.now());
  watchExpiry({ session, look: checkSession, now: () => Date.now(), later });
  connection.subscribe(() => {
    if (connection.state === 'signedOut') session.ended();
  });
  session.subscribe(() => {
    if (session.session().kind !== 'signedOut') return;
    live.forgetAll();
    rights.forgetAll();
  });
  addEventListener('online', () => connection.retryNow());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) connection.wake();
  });
  return {
    api,
    rights,
    session,
    connection,
    live,
    notices: new NoticeBoard(later),
  };
}

function later(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

// A page that is not seen gets no frames, and would gather messages without end.
function nextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, HIDDEN_STEP_MS);
  else requestAnimationFrame(run);
}

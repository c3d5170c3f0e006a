import { readSwitchCall, type SwitchCall } from '../switches/switch-call.ts';

/** Who answers a request. */
export type Route =
  | { readonly kind: 'enter' | 'session' | 'live' | 'pages' }
  | { readonly kind: 'api' }
  /** `path` is that of the HA service. */
  | { readonly kind: 'high-availability'; readonly path: string }
  /** The agent of a switch; `call` is undefined for what such agents are not asked here. */
  | { readonly kind: 'switches'; readonly call: SwitchCall | undefined };

const OWN = { '/enter': 'enter', '/session': 'session', '/live': 'live' } as const;
const API = ['/api', '/apis', '/version', '/openapi'];
const HIGH_AVAILABILITY = '/ha/';
const SWITCHES = '/switches/';

/** Says by its path who answers a request. */
export function routeOf(path: string): Route {
  if (isOwn(path)) return { kind: OWN[path] };
  if (API.some((root) => path === root || path.startsWith(`${root}/`))) return { kind: 'api' };
  if (path.startsWith(HIGH_AVAILABILITY)) {
    return { kind: 'high-availability', path: `/api/${path.slice(HIGH_AVAILABILITY.length)}` };
  }
  if (path.startsWith(SWITCHES)) return { kind: 'switches', call: readSwitchCall(path) };
  return { kind: 'pages' };
}

function isOwn(path: string): path is keyof typeof OWN {
  return Object.hasOwn(OWN, path);
}

import type { Secret } from '@smalt/secret';

import { checkSetting, checkTimeout } from '../check-setting.ts';
import type { Clock } from '../clock.ts';

/** How to reach a management controller by Redfish, and which of its systems is the host. */
export interface RedfishSettings {
  /** `https://` and a host, with a port if it is not 443. */
  readonly url: string;
  readonly user: string;
  readonly password: Secret;
  /** `session` if it is left out: one session for each call, closed at its end. `basic` sends the password each time. */
  readonly authentication?: 'session' | 'basic';
  /** The path of the host's ComputerSystem, such as `/redfish/v1/Systems/1`; else it is looked for. */
  readonly systemPath?: string;
  /** The UUID of the host: a system that has another one is never touched. */
  readonly systemUuid?: string;
  /** PEM file with the authorities that may vouch for the controller; else those of the system. */
  readonly authorityFile?: string;
  /** The name in the certificate, if it is not the host of the URL. */
  readonly serverName?: string;
  /** For a whole call; 30 s if it is left out. */
  readonly timeoutMs?: number;
}

export interface RedfishOptions {
  readonly clock?: Clock;
  /** Is told what could not be tidied up, such as a session that the controller did not close. */
  readonly ignore?: (error: unknown, why: string) => void;
}

export const DEFAULT_REDFISH_TIMEOUT_MS = 30_000;

/** The origin of the controller. Throws `bad-setting` for settings that are of no use. */
export function checkRedfishSettings(settings: RedfishSettings): string {
  const { url, user, password, systemPath, systemUuid } = settings;
  const parsed = URL.parse(url);
  const isSecure = parsed?.protocol === 'https:';
  checkSetting(isSecure, 'url', 'has to start with https://: passwords are not sent in the clear');
  const isPlain = parsed !== null && parsed.username === '' && parsed.password === '' && parsed.pathname === '/';
  checkSetting(isPlain && parsed.search === '', 'url', 'has to be a host and a port, without user, path or query');
  // A colon would end the name in basic authentication.
  checkSetting(user !== '' && !user.includes(':'), 'user', 'has to be a name without a colon');
  checkSetting(password.reveal() !== '', 'password', 'must not be empty');
  const isPath = systemPath === undefined || /^\/redfish\/v1\/[\w.~%/:@-]+$/.test(systemPath);
  checkSetting(isPath, 'systemPath', 'has to be a path such as /redfish/v1/Systems/1');
  const isUuid = systemUuid === undefined || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(systemUuid);
  checkSetting(isUuid, 'systemUuid', 'has to be a UUID such as 38947555-7742-3448-3784-823347823834');
  checkTimeout('timeoutMs', settings.timeoutMs ?? DEFAULT_REDFISH_TIMEOUT_MS);
  return parsed?.origin ?? '';
}

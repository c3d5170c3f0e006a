import type { Secret } from '@smalt/secret';

import { checkSetting, checkTimeout } from '../check-setting.ts';

/** How to reach a management controller by IPMI 2.0 over the network. */
export interface IpmiSettings {
  /** A name or an address. */
  readonly host: string;
  /** 623 if it is left out. */
  readonly port?: number;
  readonly user: string;
  /** At most 20 bytes: IPMI knows no longer ones. */
  readonly password: Secret;
  /** 17 (HMAC-SHA256, AES) if it is left out; old controllers know only 3. 0 would be no authentication at all. */
  readonly cipherSuite?: number;
  /** The session's privilege level; `administrator` if it is left out. */
  readonly privilege?: 'operator' | 'administrator';
  /** For a whole call; 20 s if it is left out. */
  readonly timeoutMs?: number;
  /** `ipmitool` if it is left out; a name is looked for in the usual folders of the system. */
  readonly program?: string;
}

export const DEFAULT_IPMI_TIMEOUT_MS = 20_000;
export const DEFAULT_IPMI_PORT = 623;
export const DEFAULT_CIPHER_SUITE = 17;

/** Throws `bad-setting` for settings that no controller could be reached with. */
export function checkIpmiSettings(settings: IpmiSettings): void {
  const { host, port = DEFAULT_IPMI_PORT, user, cipherSuite = DEFAULT_CIPHER_SUITE } = settings;
  checkSetting(/^[A-Za-z0-9][A-Za-z0-9.:%_-]*$|^::/.test(host), 'host', 'has to be a host name or an address');
  checkSetting(Number.isInteger(port) && port > 0 && port < 65_536, 'port', 'has to be from 1 to 65535');
  checkSetting(
    /^[^\p{Cc}\s-][^\p{Cc}]{0,15}$/u.test(user),
    'user',
    'has to have 1 to 16 characters, the first not "-"',
  );
  const password = settings.password.reveal();
  const size = Buffer.byteLength(password);
  // Node shows what it could not pass on as an environment: nothing with a NUL may get that far.
  const isPassword = size > 0 && size <= 20 && !password.includes('\0');
  checkSetting(isPassword, 'password', 'has to have 1 to 20 bytes without NUL, as IPMI wants it');
  const isSuite = Number.isInteger(cipherSuite) && cipherSuite >= 1 && cipherSuite <= 17;
  checkSetting(isSuite, 'cipherSuite', 'has to be from 1 to 17; suite 0 asks for no password and is not used');
  const { program = 'ipmitool' } = settings;
  checkSetting(program !== '' && !program.includes('\0'), 'program', 'has to be the name or the path of ipmitool');
  checkTimeout('timeoutMs', settings.timeoutMs ?? DEFAULT_IPMI_TIMEOUT_MS);
}

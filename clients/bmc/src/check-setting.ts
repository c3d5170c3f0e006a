import { BmcError } from './bmc-error.ts';

/** Throws `bad-setting` with the name of the setting and what it has to be. */
export function checkSetting(isGood: boolean, name: string, rule: string): void {
  if (!isGood) throw new BmcError('bad-setting', `${name} ${rule}`);
}

/** Checks a time limit; Node's timers take nothing beyond 2^31 ms and would fire at once. */
export function checkTimeout(name: string, milliseconds: number): void {
  const isGood = Number.isSafeInteger(milliseconds) && milliseconds > 0 && milliseconds < 2 ** 31;
  checkSetting(isGood, name, 'has to be a whole number of milliseconds from 1 to 2147483647');
}

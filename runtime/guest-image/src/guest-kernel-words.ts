/** What the guest does once it is up, as words on its kernel's command line; see the README. */
export type GuestWord =
  | 'tick'
  | `dirty=${number}`
  | 'wblk'
  | 'watchdog'
  | 'panic'
  | `reboot=${number}`
  | 'rtc'
  | 'online'
  | 'echo'
  | 'login'
  | 'shell';

/**
 * What makes a kernel boot fast under emulation, without self-tests and guards that nobody needs there, and leaves new memory
 * alone until the word `online` takes it.
 */
export const KERNEL_WORDS: string = [
  'console=ttyS0 quiet panic=-1 no_timer_check mitigations=off nokaslr',
  'cryptomgr.notests init_on_alloc=0 lsm= audit=0',
  'memhp_default_state=offline',
].join(' ');

const WORD = /^(tick|wblk|watchdog|panic|rtc|online|echo|login|shell|(dirty|reboot)=\d+)$/;

/** Whether the guest knows a word. */
export function isGuestWord(text: string): text is GuestWord {
  return WORD.test(text);
}

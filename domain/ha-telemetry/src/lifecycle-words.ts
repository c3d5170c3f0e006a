/** What may happen in the life of a domain, and in which ways, in the words of libvirt. */
export const lifecycleWords: Readonly<Record<string, readonly string[]>> = {
  defined: ['added', 'updated', 'renamed', 'from-snapshot'],
  undefined: ['removed', 'renamed'],
  started: ['booted', 'migrated', 'restored', 'from-snapshot', 'wakeup', 'recreated'],
  suspended: [
    'paused',
    'migrated',
    'ioerror',
    'watchdog',
    'restored',
    'from-snapshot',
    'api-error',
    'postcopy',
    'postcopy-failed',
    'guest-shutdown',
  ],
  resumed: ['unpaused', 'migrated', 'from-snapshot', 'postcopy', 'postcopy-failed'],
  stopped: ['shutdown', 'destroyed', 'crashed', 'migrated', 'saved', 'failed', 'from-snapshot', 'recreated'],
  shutdown: ['finished', 'guest', 'host'],
  'pm-suspended': ['memory', 'disk'],
  crashed: ['panicked', 'crashloaded'],
};

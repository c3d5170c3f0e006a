/**
 * A command that ends with its owner, also when that is killed. An owner that is gone before the command could tie itself to
 * it is noticed too: then it does not begin at all.
 */
export function tieToOwner(owner: number, setpriv: string, command: readonly string[]): readonly string[] {
  // The shell reads its parent after the signal was asked for, so no death is missed in between.
  return [
    setpriv,
    '--pdeathsig=KILL',
    '--',
    '/bin/sh',
    '-c',
    '[ "$PPID" = "$0" ] && exec "$@"',
    String(owner),
    ...command,
  ];
}

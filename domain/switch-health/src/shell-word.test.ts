import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { shellWord } from './shell-word.ts';

describe('shellWord', () => {
  it.each(['tap1', 'br-int', 'x;reboot', '$(id)', '`id`', "it's", '"a" b', String.raw`a\nb`, '*', '~root', '#x', 'ä'])(
    'makes one word of %j, which a shell takes literally',
    (name) => {
      const { stdout } = spawnSync('/bin/sh', ['-c', `printf '<%s>' ${shellWord(name)}`], { encoding: 'utf8' });

      expect(stdout).toBe(`<${name}>`);
    },
  );

  it('leaves a plain name as it is', () => {
    expect(shellWord('qvo-abc123')).toBe('qvo-abc123');
  });

  it.each(['', '-rf', '--all', 'a\nreboot', 'a\u001b[2J', 'a\u0000'])('makes no word of %j', (name) => {
    expect(shellWord(name)).toBeUndefined();
  });
});

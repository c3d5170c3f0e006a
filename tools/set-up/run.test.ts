import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('run.mjs', import.meta.url));

it('says which commands there are when asked for an unknown one', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, 'fly'], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      'usage: node tools/set-up/run.mjs <start|test|prove|prove-privilege|test-kubernetes|check|bench|fuzz|chaos|simulate|bed-kubernetes|images> [arguments]\n',
  });
});

it('refuses to start without root, with the packages and commands, and changes nothing', () => {
  // Another user might not even be allowed to read this folder.
  const somebody = 'data:text/javascript,process.getuid=()=>1000';
  const args = ['--import', somebody, script, 'start'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('needs root');
  expect(stderr).toContain('apt-get install --no-install-recommends');
});

it('takes the place of the shell that npm starts it in, which would keep signals to itself', () => {
  const file = new URL('../../package.json', import.meta.url);
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(readFileSync(file, 'utf8'));
  const own = Object.values(scripts).filter((command) => command.includes('run.mjs'));

  expect(own.length).toBeGreaterThan(5);
  expect(own.filter((command) => !command.startsWith('exec node '))).toEqual([]);
});

import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { SmaltError } from '../smalt-error.ts';

/** Whether anybody but the owner may pass: those of the group, or by an access list, may be the account of guests. */
const OTHERS_PASS = 0o011;

/** Refuses a directory that guests cannot get to: they are not root, and would fail one by one when they open their disks. */
export async function checkPassage(directory: string): Promise<void> {
  for (let place = await realpath(directory); ; place = dirname(place)) {
    const { mode } = await stat(place);
    if ((mode & OTHERS_PASS) === 0) {
      const which = place === directory ? place : `${directory} is below ${place}, which`;
      const next = `chmod o+x ${place}, or give another directory with --data`;
      throw new SmaltError('start-failed', `${which} lets nobody but its owner pass, and guests are not root: ${next}`);
    }
    if (place === dirname(place)) return;
  }
}

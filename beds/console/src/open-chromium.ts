import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { chromium, type Browser } from 'playwright-core';

import { ConsoleBedError } from './bed-error.ts';

const PROGRAM = 'chromium-headless-shell';

/** Starts Debian's Chromium without a screen. */
export async function openChromium(): Promise<Browser> {
  const executablePath = await findProgram();
  // Root may not have a sandbox, and tests run as root. What it opens is our own page.
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

async function findProgram(): Promise<string> {
  try {
    return (await promisify(execFile)('which', [PROGRAM])).stdout.trim();
  } catch (error) {
    const next = `install it with apt-get install ${PROGRAM}, or run npm test, which does`;
    throw new ConsoleBedError('no-browser', `${PROGRAM} is not on the PATH: ${next}`, { cause: error });
  }
}

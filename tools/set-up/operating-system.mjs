import { readFileSync } from 'node:fs';

/**
 * Which operating system this is: `debian`, `12`, `Debian GNU/Linux 12 (bookworm)`.
 *
 * @param {string} [osRelease] the text of /etc/os-release
 */
export function operatingSystem(osRelease = readOsRelease()) {
  const value = (/** @type {string} */ key) => {
    const match = new RegExp(`^${key}=(?:"([^"]*)"|(.*))$`, 'm').exec(osRelease);
    return match?.[1] ?? match?.[2]?.trim();
  };
  return {
    id: value('ID') ?? 'unknown',
    version: value('VERSION_ID') ?? '',
    name: value('PRETTY_NAME') ?? 'an unknown system',
  };
}

function readOsRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return `PRETTY_NAME="${process.platform}"`;
  }
}

import { hash } from 'node:crypto';

import type { HostLevel } from './host-level.ts';

const SHOWN_DIGITS = 12;

/**
 * What was asked for the power, so that readings of two devices are told apart though they came by the same level. What a program
 * is told goes in as a digest: people put secrets there.
 */
export function targetOf(level: HostLevel, method: string): string {
  if (level.driver !== 'command') return method;
  const { command, environment = {}, environmentFiles = {} } = level;
  const digest = hash('sha256', JSON.stringify([command, environment, environmentFiles]), 'hex');
  return `${method} with ${digest.slice(0, SHOWN_DIGITS)}`;
}
